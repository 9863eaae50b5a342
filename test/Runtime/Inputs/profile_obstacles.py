"""profile_obstacles.py SOURCE PROFILE: calls by path of each site, named by the comment behind it."""
import json
import re
import sys

names = {}
with open(sys.argv[1]) as source:
    for number, line in enumerate(source, 1):
        if comment := re.search(r"/\* ([\w-]+) \*/$", line.rstrip()):
            names[number] = comment.group(1)
with open(sys.argv[2]) as file:
    sites = json.load(file)["sites"]
for site in sorted(sites, key=lambda site: site["line"]):
    if site["line"] in names:
        print(names[site["line"]], *(f"{path} {calls}" for path, calls in sorted(site["paths"].items())))
