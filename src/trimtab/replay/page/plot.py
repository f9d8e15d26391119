"""A plot as SVG: scales, round ticks, a grid, and labels that do not stand on each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from math import floor, log10

from msgspec import Struct

LINE = 13
"""Pixels from one label to the next."""


class Plot(Struct, frozen=True, kw_only=True):
    """An area of so many pixels with room for labels around it, and the values at its edges."""

    width: int = 500
    height: int = 260
    left: int = 52
    right: int = 206
    top: int = 14
    bottom: int = 34
    x_range: tuple[float, float]
    y_range: tuple[float, float]

    def x(self, value: float) -> float:
        """The pixel of a value."""
        low, high = self.x_range
        return round(self.left + (value - low) / ((high - low) or 1) * (self.width - self.left - self.right), 1)

    def y(self, value: float) -> float:
        """The pixel of a value, counted from above."""
        low, high = self.y_range
        inner = self.height - self.top - self.bottom
        return round(self.top + (high - value) / ((high - low) or 1) * inner, 1)

    def drawn(self, title: str, marks: Sequence[str]) -> str:
        """The whole SVG; its title is what a screen reader says."""
        size = f'viewBox="0 0 {self.width} {self.height}" role="img" aria-label="{escape(title)}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(marks)}</svg>'

    def axes(self, x_name: str, x: Callable[[float], str], y: Callable[[float], str]) -> Iterator[str]:
        """Grid, ticks and the name of the horizontal axis."""
        stop = self.width - self.right
        floor_at = self.height - self.bottom
        for value in ticks(*self.y_range):
            at = self.y(value)
            yield f'<line class="grid" x1="{self.left}" x2="{stop}" y1="{at}" y2="{at}"/>'
            place = f'x="{self.left - 6}" y="{at + 3.5}"'
            yield f'<text class="tick" text-anchor="end" {place}>{escape(y(value))}</text>'
        for value in ticks(*self.x_range, most=5):
            at = self.x(value)
            yield f'<line class="grid" x1="{at}" x2="{at}" y1="{self.top}" y2="{floor_at}"/>'
            place = f'x="{at}" y="{floor_at + 14}"'
            yield f'<text class="tick" text-anchor="middle" {place}>{escape(x(value))}</text>'
        middle = (self.left + stop) / 2
        yield f'<text class="axis" text-anchor="middle" x="{middle}" y="{self.height - 4}">{escape(x_name)}</text>'


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round values between two, at most about so many."""
    if not high > low:
        return [low]
    rough = (high - low) / most
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough)
    first = floor(low / step)
    values = (step * n for n in range(first, first + 3 * most + 2))
    return [round(value, 10) for value in values if low <= value <= high]


def apart(wished: Sequence[float], least: float = LINE, low: float = 0.0, high: float = 1e9) -> list[float]:
    """Places near those wished, in their order, none nearer to the next than `least`."""
    order = sorted(range(len(wished)), key=lambda n: wished[n])
    placed = [0.0] * len(wished)
    above = low - least
    for number in order:
        above = placed[number] = max(wished[number], above + least)
    below = high + least
    for number in reversed(order):
        below = placed[number] = min(placed[number], below - least)
    return placed
