"""Checks that the chance of a finished game was settled before it began. Needs Python alone, and nothing of Sheepfold.

    python check_chance.py http://localhost:8321/api/tables/TABLE/chance SEAL

SEAL is what the table showed while the game was played. The answer of the server has the secret and, for each thing that chance did, the
outcomes with their weights. It holds if the secret's SHA-256 is the seal, and if each outcome is where the HMAC-SHA-256 of its ply under
the secret, as a fraction of 2**256, falls among the weights. The weights are the rules' business: compare them with what was possible then.
"""

import hashlib
import hmac
import json
import sys
from pathlib import Path
from urllib.request import urlopen


def faults(told: dict, seal: str) -> list:
    """What is wrong."""
    secret = told.get("secret")
    if not secret:
        return ["the game is not over, so its secret is not told yet"]
    found = []
    if hashlib.sha256(secret.encode()).hexdigest() != seal:
        found.append("the secret is not the one that was sealed")
    for draw in told["draws"]:
        number = int.from_bytes(hmac.new(secret.encode(), str(draw["ply"]).encode(), hashlib.sha256).digest(), "big")
        left, place = number * sum(draw["weights"]) // 2**256, 0
        while left >= draw["weights"][place]:
            left -= draw["weights"][place]
            place += 1
        if draw["outcomes"][place] != draw["drawn"]:
            found.append(f"ply {draw['ply']}: it should have been {draw['outcomes'][place]}, not {draw['drawn']}")
    return found


def main(source: str, seal: str) -> int:
    if source.startswith("http"):
        with urlopen(source) as answer:
            told = json.load(answer)
    else:
        told = json.loads(Path(source).read_text(encoding="utf-8"))
    found = faults(told, seal)
    for fault in found:
        print(fault)
    if not found:
        print(f"All {len(told['draws'])} draws are as they were sealed.")
    return bool(found)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
