"""Price files: exactly the model that is asked, unknown stays unknown, free is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from unsorry import UnsorryError
from unsorry.provers.price import Price
from unsorry.scaffolds.agent import Usage
from unsorry.scaffolds.agent.models.answers import cost
from unsorry.scaffolds.agent.prices import FREE, Prices, read_prices

FILE = """
[mistral-small-latest]
input = 0.1
cached = 0.01
output = 0.3

["labs-leanstral-1-5"]
free = true

["http://127.0.0.1:8000/v1/#Qwen/Qwen3-8B"]
input = 0
cached = 0
output = 0
"""


@pytest.fixture
def prices(tmp_path: Path) -> Prices:
    (tmp_path / "prices.toml").write_text(FILE)
    return read_prices(tmp_path / "prices.toml")


def test_lookup(prices: Prices) -> None:
    assert prices.of("mistral-small-latest", "https://api.mistral.ai/v1") == Price(0.1, 0.01, 0.3)
    assert prices.of("Qwen/Qwen3-8B", "http://127.0.0.1:8000/v1") == FREE
    assert prices.of("Qwen/Qwen3-8B", "https://elsewhere/v1") == prices.of("Qwen/Qwen3-8B") == Price()


def test_a_free_model_is_not_billed_as_the_one_that_it_is_based_on(prices: Prices) -> None:
    """Facts 12: ten free tasks were reported as about $180."""
    used = Usage(4_000_000, 3_500_000, 60_000)
    assert cost(used, prices.of("labs-leanstral-1-5")) == 0.0
    assert cost(used, prices.of("mistral-small-latest-preview")) is None
    assert cost(used, prices.of("mistral-small")) is None


def test_cached_tokens_have_their_own_price(prices: Prices) -> None:
    """Facts 14: cache hits billed in full, 4.9 times too much."""
    used = Usage(1_000_000, 950_000, 1_000)
    paid = cost(used, prices.of("mistral-small-latest"))
    assert paid == pytest.approx(0.05 * 0.1 + 0.95 * 0.01 + 0.001 * 0.3)
    in_full = (used.prompt * 0.1 + used.completion * 0.3) / 1e6
    assert in_full / paid > 4.9
    assert cost(None, prices.of("mistral-small-latest")) is None and cost(None, FREE) == 0.0
    assert cost(Usage(1, 0, 1), Price()) is None and cost(Usage(), FREE) == 0.0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[m]\ninput = 1\noutput = 2", r"\[m\]: cached is missing \(the price of input, if there is no discount\)"),
        ("[m]\ninput = 1\ncached = 1", "output is missing; a price that is not known is left out as a whole"),
        ("[m]\ninput = '1'\ncached = 1\noutput = 1", "input must be dollars for a million tokens, 0 or more, not '1'"),
        ("[m]\ninput = -1\ncached = 1\noutput = 1", "0 or more, not -1"),
        ("[m]\ninput = nan\ncached = 1\noutput = 1", "not nan"),
        ("[m]\ninput = true\ncached = 1\noutput = 1", "not True"),
        ("[m]\nfree = false", "free = true stands alone"),
        ("[m]\nfree = true\ninput = 1", "free = true stands alone"),
        ("[m]\ninputs = 1", "inputs is not known; known are input, cached, output, free"),
        ("[gpt-4.1]\nfree = true", "quote names with dots"),
        ("m = 3", "is no price"),
        ("[m", "is not TOML"),
    ],
)
def test_files_that_are_wrong(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "p.toml").write_text(text)
    with pytest.raises(UnsorryError, match=says) as error:
        read_prices(tmp_path / "p.toml")
    assert str(tmp_path / "p.toml") in str(error.value) and "\n" not in str(error.value)


def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
    (tmp_path / "p.toml").write_text(page.split("## Prices")[1].split("```toml\n")[1].split("```")[0])
    prices = read_prices(tmp_path / "p.toml")
    assert prices.of("my-free-preview") == FREE and prices.of("mistral-small-latest") == Price(0.1, 0.01, 0.3)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnsorryError, match="cannot read the prices in"):
        read_prices(tmp_path / "none.toml")
