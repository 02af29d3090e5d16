import { describe, expect, it } from '@jest/globals';
import { readDryRun } from '../../../../lib/server/http/query.ts';
import { readCount, readVersion, refuseListOptions } from '../../../../lib/server/http/read-options.ts';
import { ApiError } from '../../../../lib/server/status/status.ts';

function codeOf(act: () => unknown): number {
  try {
    act();
    return 200;
  } catch (error) {
    return error instanceof ApiError ? error.code : 0;
  }
}

describe('resourceVersion', () => {
  it.each([
    ['', undefined],
    ['resourceVersion=', undefined],
    ['resourceVersion=0', 0],
    ['resourceVersion=17', 17],
  ])('resourceVersion %j is %s', (query, rv) => {
    expect(readVersion(new URLSearchParams(query))).toBe(rv);
  });

  it.each(['-1', 'abc', '1.5', '1e3', '0x1', '99999999999999999999', ' 1', '+1'])(
    'resourceVersion %j is answered with 400',
    (text) => {
      expect(codeOf(() => readVersion(new URLSearchParams({ resourceVersion: text })))).toBe(400);
    },
  );
});

describe('limit', () => {
  it.each([
    ['', 0],
    ['limit=500', 500],
    ['limit=%2B3', 3],
    ['limit=-1', 0],
    ['limit=9223372036854775807', 2 ** 63],
  ])('limit %j is %d', (query, limit) => {
    expect(readCount(new URLSearchParams(query), 'limit')).toBe(limit);
  });

  it.each(['', 'abc', '1.5', '0x1', '9223372036854775808'])('limit %j is answered with 400', (text) => {
    expect(codeOf(() => readCount(new URLSearchParams({ limit: text }), 'limit'))).toBe(400);
  });
});

describe('dryRun', () => {
  it.each([
    [[], false],
    [['All'], true],
    [['All', 'All'], true],
  ])('dryRun %j is %s', (values, dryRun) => {
    expect(readDryRun(values, 'CreateOptions')).toBe(dryRun);
  });

  it('dryRun refuses any other value', () => {
    expect(codeOf(() => readDryRun([''], 'CreateOptions'))).toBe(422);
    expect(codeOf(() => readDryRun(['all'], 'CreateOptions'))).toBe(422);
    expect(codeOf(() => readDryRun(['All', 'Some'], 'CreateOptions'))).toBe(422);
  });
});

describe('The options of a LIST', () => {
  it.each([
    ['', 200],
    ['resourceVersion=5&resourceVersionMatch=Exact', 200],
    ['resourceVersion=5&resourceVersionMatch=NotOlderThan', 200],
    ['resourceVersion=0&resourceVersionMatch=NotOlderThan', 200],
    ['resourceVersionMatch=Exact', 422],
    ['resourceVersion=0&resourceVersionMatch=Exact', 422],
    ['resourceVersion=5&resourceVersionMatch=Newest', 422],
    ['resourceVersion=5&resourceVersionMatch=Exact&continue=x', 422],
    ['sendInitialEvents=true', 422],
  ])('The LIST options %j are answered with %d', (query, code) => {
    expect(codeOf(() => refuseListOptions(new URLSearchParams(query), 'list'))).toBe(code);
  });
});

describe('The options of a WATCH', () => {
  it.each([
    ['', 200],
    ['sendInitialEvents=false&resourceVersionMatch=NotOlderThan', 200],
    ['sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true', 200],
    ['sendInitialEvents=true', 422],
    ['sendInitialEvents=true&resourceVersionMatch=Exact', 422],
    ['resourceVersion=5&resourceVersionMatch=NotOlderThan', 422],
  ])('The WATCH options %j are answered with %d', (query, code) => {
    expect(codeOf(() => refuseListOptions(new URLSearchParams(query), 'streamed watch'))).toBe(code);
  });

  it('The WATCH options have no initial events if answers are buffered', () => {
    const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    expect(codeOf(() => refuseListOptions(new URLSearchParams(query), 'buffered watch'))).toBe(422);
  });
});
