#!/usr/bin/env python3
"""A bot for any game of the house: it takes the most points that it can have at once, and draws among equals.

sheepfold arena haste-bock --bots 'cmd:python3 examples/bots/bot.py',lamb --games 20
"""

import json
import random
import sys


def say(answer):
    print(json.dumps(answer), flush=True)


def choose(question):
    draw = random.Random(question["seed"])  # the same game again plays the same again
    if question["interrupting"]:
        return "pass"
    most = max(action.get("gain", 0) for action in question["actions"])
    return draw.choice([action["action"] for action in question["actions"] if action.get("gain", 0) == most])


for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "setup":
        print(f"seat {told['seat']} of {told['seats']} at {told['title']}", file=sys.stderr)
        say({"ready": 1})
    elif told["type"] == "decide":
        say({"action": choose(told)})
