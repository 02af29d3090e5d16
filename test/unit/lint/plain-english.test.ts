import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CORPORA, faultsOf } from '../../lint/plain-english/corpora.ts';
import { faultsOfSentence, faultsOfWords, sentencesOfMarkdown } from '../../lint/plain-english/prose.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** The faults of each corpus that are allowed. These numbers may only fall. */
const MOST = { docs: 0, comments: 0, messages: 0, 'test titles': 0 };

describe('plain English', () => {
  it.each(Object.entries(CORPORA))('%s has at most the faults that are left', async (name, corpus) => {
    const faults = await faultsOf(corpus, ROOT);
    const most = MOST[name as keyof typeof CORPORA];
    expect(faults.length > most ? faults : []).toEqual([]);
  });

  it.each([
    ['Who only reads writes nothing', 'headless who'],
    ['the queue of who may receive', 'headless who'],
    ['whoever takes the lease raises its epoch', 'headless who'],
    ['the author and his queue', 'he for a process'],
  ])('The check reports in %s: %s', (text, rule) => {
    expect(faultsOfWords(text)).toEqual([{ rule, text }]);
  });

  it('The check allows questions, relative clauses and sentences of 30 words', () => {
    const long = `${'word '.repeat(29)}word.`;
    const texts = ['Who may write?', 'users who may write', long];
    expect(texts.flatMap(faultsOfSentence)).toEqual([]);
    expect(faultsOfSentence(`one ${long}`)).toEqual([{ rule: 'long sentence', text: `one ${long}` }]);
  });

  it('The check reads paragraphs, lists and table cells of a page, but no headings or code', () => {
    const page = [
      '# Who reads this',
      'One line\nand the next. Then `a b c` and [a link](https://example.com).',
      '',
      '- an item',
      '- another',
      '',
      '```sh\nwhoever runs this\n```',
      '',
      '| head | cell |',
      '|---|---|',
      '| one. Two | three |',
    ].join('\n');
    expect(sentencesOfMarkdown(page)).toEqual([
      'One line and the next.',
      'Then CODE and a link.',
      'an item',
      'another',
      'head',
      'cell',
      'one.',
      'Two',
      'three',
    ]);
  });
});
