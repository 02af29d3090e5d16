import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readTokenFile } from '../../../infra/local/trust/index.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'winnow-trust-'));
});

afterAll(() => rm(directory, { recursive: true }));

describe('a token file', () => {
  const write = async (text: string) => {
    const file = join(directory, 'tokens.csv');
    await writeFile(file, text);
    return file;
  };

  it('a token file is read as kube-apiserver reads it', async () => {
    const users = await readTokenFile(await write('# ours\n\nt1,jane,7,"fleet,a b"\nt2,"joe, who",\n'));
    expect(users.find('t1')).toEqual({ username: 'jane', uid: '7', groups: ['fleet', 'a b'] });
    expect(users.find('t2')).toEqual({ username: 'joe, who', groups: [] });
    expect([users.find(''), users.find('t'), users.find('t3')]).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    ['secret,jane', 'line 1: it must have a token, a user, a uid'],
    [',jane,7', 'line 1: the token is empty'],
    ['sec ret,jane,7', 'characters that a header cannot hold'],
    ['secret,,7', 'the user is empty'],
    ['secret,"jane\nadmin",7', 'the user has control characters'],
    ['secret,jane,7\nsecret,joe,8', 'line 2: joe has the same token as jane'],
    ['secret,"jane,7', 'it is not valid CSV'],
  ])('the token file %j is refused without revealing the token', async (text, says) => {
    const refused = readTokenFile(await write(text));
    await expect(refused).rejects.toThrow(says);
    await expect(refused).rejects.not.toThrow('secret');
  });
});
