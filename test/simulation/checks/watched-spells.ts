import type { WatchRecord } from '../history.ts';
import { isChange, versionOf, type WatchedSpell } from './spells.ts';

/** The lists and resumes of a watch, each with the range of resourceVersions that it delivered. */
export function watchedSpells({ client, asked, spells }: WatchRecord): WatchedSpell[] {
  return spells.map(({ from, begins, events }, index) => ({
    name: `${client}'s watch, spell ${index + 1} (${begins} @${from})`,
    asked,
    begins,
    from,
    to: Math.max(from, ...events.map((event) => versionOf(event) ?? from)),
    events: events.filter(isChange),
    all: events,
  }));
}
