"""The laws p(I | n): families fitted to the moments, the exact law for 2 x 2 tables, draws, and the tails."""

from misieve.laws.base import Law
from misieve.laws.fitting import LAWS, fit
from misieve.laws.mixed import Mixed
from misieve.laws.tails import UpperTail, lower_tail, lower_tail_power, upper_tail_power

__all__ = ["LAWS", "Law", "Mixed", "UpperTail", "fit", "lower_tail", "lower_tail_power", "upper_tail_power"]
