import { describe, expect, it } from '@jest/globals';
import {
  type ChangeLine,
  changeBetween,
  changed,
  changeOf,
  EMPTY_LINE,
  lineError,
} from '../../../../console/what-if/label-change.ts';

const set = (key: string, value: string): ChangeLine => ({ action: 'set', key, value });
const remove = (key: string): ChangeLine => ({ action: 'remove', key, value: '' });

describe('The lines of the label form', () => {
  it('Set and removed labels are a merge patch, and lines that are not begun do not count', () => {
    expect(changeOf([set('tier', 'web'), remove('track'), EMPTY_LINE])).toEqual({ tier: 'web', track: null });
  });

  it('An empty value is a value', () => {
    expect(changeOf([set('canary', '')])).toEqual({ canary: '' });
  });

  it.each([
    ['a wrong key', [set('-tier', 'web')], 'Key "-tier": name part must consist of'],
    ['a key with two slashes', [set('a/b/c', 'web')], 'Key "a/b/c": a qualified name'],
    ['a wrong value', [set('tier', 'a b')], 'Value "a b": a valid label'],
    ['a value without a key', [set('', 'web')], 'Key "": name part must be non-empty'],
    ['a key that stands twice', [set('tier', 'web'), remove('tier')], 'Two lines change the label "tier"'],
  ])('Lines with %s are no change, and the first one says why', (_name, lines, message) => {
    expect(lineError(lines[0] ?? EMPTY_LINE, lines)).toContain(message);
    expect(changeOf(lines)).toBeUndefined();
  });

  it('Lines without a key are no change and no error', () => {
    expect(lineError(EMPTY_LINE, [EMPTY_LINE])).toBe('');
    expect(changeOf([EMPTY_LINE])).toBeUndefined();
  });
});

it('The change between two sets of labels leads from one to the other, and back', () => {
  const before = { app: 'web', tier: 'frontend', track: 'canary' };
  const after = { app: 'web', tier: 'backend', env: 'qa' };
  expect(changeBetween(before, after)).toEqual({ tier: 'backend', track: null, env: 'qa' });
  expect(changed(before, changeBetween(before, after))).toEqual(after);
  expect(changed(after, changeBetween(after, before))).toEqual(before);
  expect(changeBetween(before, before)).toEqual({});
});
