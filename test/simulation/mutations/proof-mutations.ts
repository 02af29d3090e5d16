import type { Mutation } from './mutation.ts';

const PROOFS = 'lib/delivery/proofs/queue-proofs.ts';

/** Mechanisms by which a queue of users gets few tokens, and none of strangers. */
export const PROOF_MUTATIONS: readonly Mutation[] = [
  {
    name: 'one-token-in-an-hour',
    mechanism: 'a queue gets one token of a Subscription in an hour',
    edits: [{ file: PROOFS, find: 'if (last !== undefined)', replace: 'if (last === 0)' }],
    scenario: 'proofs',
  },
  {
    name: 'token-of-a-name',
    mechanism: 'the hour of a token is that of the name: a Subscription that is made anew gets no other one',
    edits: [
      {
        file: PROOFS,
        find: 'const { queueArn, name } = asking;',
        replace: 'const { queueArn, name, uid } = asking;',
      },
      { file: PROOFS, find: 'own.sent[nameKey(name)];', replace: 'own.sent[uid];' },
      { file: PROOFS, find: '{ ...own.sent, [nameKey(name)]: now }', replace: '{ ...own.sent, [uid]: now }' },
    ],
    scenario: 'proofs',
  },
  {
    name: 'token-taken-as-read',
    mechanism:
      'of two tokens of a namespace that are taken in the same moment one waits: the row is as it was read',
    edits: [
      {
        file: PROOFS,
        find: 'await table.put(row, condition)',
        replace: 'await table.put(row, condition && [])',
      },
    ],
    scenario: 'proofs',
  },
  {
    name: 'no-token-of-strangers',
    mechanism: 'a queue that a Subscription has proved takes no token of other namespaces',
    edits: [
      {
        file: PROOFS,
        find: 'if (await isProving(table, queueArn, proved))',
        replace: 'if (!(await isProving(table, queueArn, proved)) && now < 0)',
      },
    ],
    scenario: 'proofs',
  },
  {
    name: 'proof-is-noted',
    mechanism: 'a token that came back is noted as the proof of its queue',
    edits: [
      {
        file: 'lib/delivery/reconcile/own-queue.ts',
        find: '    await noteProved(options, progress.state);\n',
        replace: '',
      },
      {
        file: 'lib/delivery/reconcile/current-queue.ts',
        find: '      await noteProved(this.#options, this.#progress.state);\n',
        replace: '',
      },
    ],
    scenario: 'proofs',
  },
  {
    name: 'proof-ends',
    mechanism: 'a proof ends with its Subscription: the next owner of the queue can prove it',
    edits: [
      { file: PROOFS, find: 'return row !== undefined && row', replace: 'return row === undefined || row' },
      {
        file: 'lib/delivery/reconcile/reconcile-subscription.ts',
        find: '  if (queueArn) await forgetProved(options, { collection, uid, name, queueArn: String(queueArn) });\n',
        replace: '',
      },
    ],
    scenario: 'proofs',
  },
];
