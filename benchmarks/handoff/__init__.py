"""What small real models get wrong in a handoff note, and what of that is left in the note that is accepted."""
