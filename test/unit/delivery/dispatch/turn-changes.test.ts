import { describe, expect, it } from '@jest/globals';
import { turnChanges } from '../../../../lib/delivery/dispatch/turn-changes.ts';
import type { Store } from '../../../../lib/store/index.ts';
import { targetOf } from '../../../support/watch/members.ts';

/** Creates a store that returns decided changes up to `decided`, two at a time. `asked` records the requests. */
function createStretches(decided: number) {
  const asked: string[] = [];
  const stretch =
    (how: string, most: (upTo: number) => number) => async (_: string, after: number, upTo: number) => {
      asked.push(`${how} ${after}-${upTo}`);
      return { changes: [], upTo: Math.max(after, Math.min(after + 2, most(upTo))) };
    };
  const store = {
    nextChanges: stretch('waits', (upTo) => upTo),
    decidedChanges: stretch('looks', (upTo) => Math.min(decided, upTo)),
  } as unknown as Store;
  return { store, asked };
}

async function changesAsked(options: {
  readonly decided: number;
  readonly from: number;
  readonly cursor: number;
  readonly upTo: number;
  readonly waits: boolean;
}) {
  const { store, asked } = createStretches(options.decided);
  const { upTo } = await turnChanges({ ...options, store, target: targetOf('pods') });
  return { asked, upTo };
}

describe('the changes of a round', () => {
  it('a round reads the journal only if there are changes', async () => {
    const none = { decided: 9, from: 5, cursor: 5, upTo: 5, waits: true };
    expect(await changesAsked(none)).toEqual({ asked: [], upTo: 5 });
  });

  it('a round waits for changes up to the cursor, and reads only decided ones after it', async () => {
    const behind = { decided: 7, from: 2, cursor: 4, upTo: 9, waits: false };
    expect(await changesAsked(behind)).toEqual({
      asked: ['waits 2-9', 'looks 4-9', 'looks 6-9', 'looks 7-9'],
      upTo: 7,
    });
  });

  it('a round without other work waits for the next change after the cursor', async () => {
    const idle = { decided: 4, from: 4, cursor: 4, upTo: 9, waits: true };
    expect(await changesAsked(idle)).toEqual({ asked: ['waits 4-9', 'looks 6-9'], upTo: 6 });
  });
});
