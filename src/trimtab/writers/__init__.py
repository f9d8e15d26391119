"""The models that can write notes. Each is a writer for `Compactor(writer=…)`; so is any function of an `Ask`."""

from trimtab.writers.anthropic import AnthropicMessages
from trimtab.writers.google import GoogleGenerate
from trimtab.writers.openai_chat import OpenAIChat

__all__ = ["AnthropicMessages", "GoogleGenerate", "OpenAIChat"]
