"""A CSV like that of the flights in perf-eval/data, with what those lack: empty fields, and text that is hard to read back. Always the same."""

import csv
import random

HEADER = (
    "year,month,day,dep_time,sched_dep_time,dep_delay,arr_time,sched_arr_time,arr_delay,carrier,flight,tailnum,"
    "origin,dest,air_time,distance,hour,minute,time_hour"
).split(",")
KEY = "year,month,day,carrier,flight,origin,sched_dep_time"
DESTINATION = "LAX"

_ROWS = 20_000
_MISSING = 0.03
_CARRIERS = ["AA", "B6", "DL", "EV", "UA"]
_DESTINATIONS = [DESTINATION, "Zürich", "東京, 羽田", 'say "O\'Hare"', "two\nlines", "two\r\nmore", "tab\there", " spaces ", "𝄞\u2028\u0085", "NULL", "\\N", '"']


def write(path):
    """Writes the file."""
    chance = random.Random(20130101)
    with path.open("w", encoding="utf-8", newline="") as out:
        lines = csv.writer(out)
        lines.writerow(HEADER)
        lines.writerows(_line(chance, number) for number in range(_ROWS))


def _line(chance, number):
    month, day, hour, minute = number % 12 + 1, chance.randint(1, 28), chance.randint(5, 23), chance.randint(0, 59)
    scheduled, delay = hour * 100 + minute, chance.randint(-20, 300)
    return [
        2013,
        month,
        day,
        _or_missing(chance, scheduled + 1),
        scheduled,
        _or_missing(chance, chance.choice([delay, delay / 7, delay * 1e-9, delay * 1e20])),
        _or_missing(chance, chance.randint(1, 2400)),
        chance.randint(1, 2400),
        _or_missing(chance, delay),
        chance.choice(_CARRIERS),
        number,
        _or_missing(chance, f"N{chance.randint(0, 9999):04d},{chance.choice('AÄ語')}"),
        chance.choice(["EWR", "LGA", "JFK"]),
        _or_missing(chance, chance.choice(_DESTINATIONS)),
        _or_missing(chance, f"{chance.uniform(0, 700):.2f}"),
        chance.randint(80, 5000),
        hour,
        minute,
        f"2013-{month:02d}-{day:02d}T{hour:02d}:00:00Z",
    ]


def _or_missing(chance, value):
    return "" if chance.random() < _MISSING else value
