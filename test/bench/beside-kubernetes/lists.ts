import { BESIDE_BARS, BESIDE_FEW_FROM, type BesideBar } from '../bars.ts';
import { DifferenceError } from '../compare.ts';
import { PODS } from './collection.ts';
import type { Side } from './sides.ts';
import type { Question } from './turns.ts';

/** The largest size of which nine tenths are listed. */
const MOST_LISTED = 10_000;
const PAGE = 100;

/** A LIST that both sides answer. */
export interface ListQuestion extends Question {
  readonly path: string;
  readonly matches: number;
  readonly bar: BesideBar | undefined;
}

/** The LISTs of a collection of a size. */
export function listsOf(size: number): readonly ListQuestion[] {
  const few = size >= BESIDE_FEW_FROM ? BESIDE_BARS.listOfFew : undefined;
  const many = { selector: 'most=yes', matches: size * 0.9, bar: BESIDE_BARS.listOfMany };
  return [
    question(size, { selector: 'ten=none', matches: 0, bar: undefined }),
    question(size, { selector: `ten=s${size}`, matches: 10, bar: few }),
    question(size, { selector: `ninety=s${size}`, matches: 90, bar: few }),
    ...(size <= MOST_LISTED ? [question(size, many)] : []),
    question(size, { selector: 'tier!=t3', matches: PAGE, limit: PAGE, bar: BESIDE_BARS.pageWithoutIndex }),
  ];
}

interface Listed extends Pick<ListQuestion, 'matches' | 'bar'> {
  readonly selector: string;
  readonly limit?: number;
}

function question(size: number, { selector, matches, limit, bar }: Listed): ListQuestion {
  const query = new URLSearchParams({
    labelSelector: selector,
    ...(limit !== undefined && { limit: String(limit) }),
  });
  const path = `${PODS}?${query}`;
  const of = size.toLocaleString('en');
  const name =
    limit === undefined
      ? `LIST ${matches.toLocaleString('en')} of ${of}`
      : `a page of ${limit} of ${of}, ${selector}`;
  return { name, clients: 1, path, matches, bar, ask: ({ client }) => client.ask('GET', path) };
}

/** @throws {DifferenceError} the sides list different objects, or not as many as match. */
export async function expectSameList(
  { name, path, matches }: ListQuestion,
  sides: readonly Side[],
  limited = path.includes('limit='),
): Promise<readonly number[]> {
  const answers = await Promise.all(sides.map(({ client }) => client.ask('GET', path)));
  const lists = answers.map(({ bytes }) => JSON.parse(bytes.toString()));
  const [ours = '', ...theirs] = lists.map(({ items }) => namesIn(items));
  if (theirs.some((names) => names !== ours)) throw new DifferenceError(`${name}: the objects differ`);
  for (const { items, metadata } of lists) {
    const isWhole = limited || (metadata.continue ?? '') === '';
    if (items.length === matches && isWhole) continue;
    throw new DifferenceError(`${name}: ${items.length} objects instead of ${matches}, or not all at once`);
  }
  return answers.map(({ bytes }) => bytes.byteLength);
}

function namesIn(items: readonly { readonly metadata: { readonly name: string } }[]): string {
  return items
    .map(({ metadata }) => metadata.name)
    .sort()
    .join();
}

/** How Winnow found the objects of a LIST: its header `Winnow-Explain`, by one more request outside the turns. */
export async function explanationOf({ path }: ListQuestion, { client }: Side): Promise<string> {
  const { headers } = await client.ask('GET', `${path}&explain=header`);
  return String(headers['winnow-explain']);
}
