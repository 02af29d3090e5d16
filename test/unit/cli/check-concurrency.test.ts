import { describe, expect, it } from '@jest/globals';
import { UncheckedError } from '../../../cli/connection/index.ts';
import { type AccountConcurrency, checkConcurrency } from '../../../cli/doctor/check-concurrency.ts';
import { CONCURRENT_FUNCTIONS, leastConcurrency } from '../../../infra/concurrency/index.ts';

async function checked(account: () => Promise<AccountConcurrency>) {
  const [outcome] = await checkConcurrency({
    account,
    listener: { begin: () => {}, end: () => {} },
    interrupted: new AbortController().signal,
  });
  return outcome;
}

const need = leastConcurrency(CONCURRENT_FUNCTIONS);

describe('winnow doctor --concurrency', () => {
  it('doctor --concurrency prints the concurrency limit of the account and the concurrency that Winnow needs', async () => {
    const outcome = await checked(async () => ({ limit: 1_000, unreserved: 900 }));
    expect(outcome).toMatchObject({ result: 'ok' });
    expect(outcome?.note).toBe(
      `the account can run 1000 functions at once, 900 of them unreserved; Winnow needs ${need}, and one more for each open watch`,
    );
    await expect(checked(async () => ({ limit: need, unreserved: need }))).resolves.toMatchObject({
      result: 'ok',
    });
  });

  it.each([[{ limit: 10, unreserved: 10 }], [{ limit: 1_000, unreserved: need - 1 }]])(
    'doctor --concurrency reports that %j are too few, what happens then, and the remedy',
    async (account) => {
      const outcome = await checked(async () => account);
      expect(outcome).toMatchObject({ result: 'wrong' });
      expect(outcome?.note).toContain(`Winnow needs ${need} for one user`);
      expect(outcome?.fault?.advice).toContain('With 10, a few open watches use all of it');
      expect(outcome?.fault?.advice).toContain('L-B99A9384');
    },
  );

  it('doctor --concurrency does not judge a limit that it may not read', async () => {
    const refused = async () => {
      throw new UncheckedError('your credentials may not read it');
    };
    await expect(checked(refused)).resolves.toMatchObject({
      result: 'not checked',
      note: 'your credentials may not read it',
    });
  });
});
