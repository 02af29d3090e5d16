import { Fault } from '../../connection/index.ts';
import type { Examination, Step } from '../examination.ts';
import { SELECTORS } from '../objects.ts';

export const list: Step = {
  name: 'LIST by selector',
  run: async (examination) => {
    for (const [selector, expected] of SELECTORS) {
      const names = await listPages(examination, selector);
      if (names.join() !== expected.join()) throw wrongSet(examination, { selector, names, expected });
    }
    return `${SELECTORS.length} selectors, each exactly the matching set`;
  },
};

/** Lists in pages of two. Throws a Fault if the pages have different resourceVersions. */
async function listPages({ connection, objectsPath }: Examination, labelSelector: string): Promise<string[]> {
  const names: string[] = [];
  const versions = new Set<unknown>();
  let next = '';
  do {
    const query = new URLSearchParams({ labelSelector, limit: '2', ...(next && { continue: next }) });
    const { items = [], metadata } = await connection.ask('GET', `${objectsPath}?${query}`);
    const page = metadata as { resourceVersion?: string; continue?: string } | undefined;
    names.push(...items.map((item) => item.metadata.name));
    versions.add(page?.resourceVersion);
    next = page?.continue ?? '';
  } while (next !== '');
  if (versions.size === 1) return names;
  throw new Fault({
    what: `the pages of the list for '${labelSelector}' have different resourceVersions: ${[...versions].join(', ')}`,
    advice: 'Does a proxy in front of the endpoint cache answers? If not, this is a bug in Winnow: report it',
  });
}

function wrongSet(
  { namespace }: Examination,
  { selector, names, expected }: { selector: string; names: readonly string[]; expected: readonly string[] },
): Fault {
  const show = (some: readonly string[]) => some.join(', ') || 'nothing';
  return new Fault({
    what: `the selector '${selector}' returned ${show(names)}; in ${namespace} it selects ${show(expected)}`,
    advice:
      'Does a proxy in front of the endpoint cache or change answers? If not, this is a bug in Winnow: report it, with the answer to the same list with explain=text (docs/api.md)',
  });
}
