// One showing of a page, or of several beside each other: how long each is in sight.

/** Who looks for so long reads, in ms. */
export const READ = 1_000;

/** A page: when it came in sight, how long it was before, and how much of that was told. */
interface Sight {
  since: number | undefined;
  spent: number;
  told: number;
}

export class Showing {
  private readonly sights = new Map<number, Sight>();
  private readonly areas: string[] = [];
  private isTold = false;

  constructor(readonly ticket: string, private readonly touches: boolean) {}

  /** A page comes in sight, or goes out of it, at a moment (ms). */
  see(page: number, inSight: boolean, now: number): void {
    let sight = this.sights.get(page);
    if (inSight) {
      sight ??= { since: now, spent: 0, told: 0 };
      sight.since ??= now;
      this.sights.set(page, sight);
    } else if (sight?.since !== undefined) {
      sight.spent += now - sight.since;
      sight.since = undefined;
    }
  }

  press(area: string): void {
    this.areas.push(area);
  }

  /** What there is to tell at a moment, once; undefined where there is nothing new. */
  tell(now: number): { ticket: string; pages: [number, number][]; areas: string[]; touches: boolean } | undefined {
    const pages: [number, number][] = [];
    for (const [page, sight] of this.sights) {
      const spent = Math.round(sight.spent + (sight.since === undefined ? 0 : now - sight.since));
      if (spent > sight.told) pages.push([page, spent - sight.told]);
      sight.told = Math.max(sight.told, spent);
    }
    const areas = this.areas.splice(0);
    if (this.isTold && pages.length === 0 && areas.length === 0) return undefined;
    // nobody has seen it yet
    if (this.sights.size === 0) return undefined;
    this.isTold = true;
    return { ticket: this.ticket, pages, areas, touches: this.touches };
  }
}
