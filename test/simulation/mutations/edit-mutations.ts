import type { Mutation } from './mutation.ts';

/** Mechanisms of a Subscription's edits; a snapshot is an edit from nothing. */
export const EDIT_MUTATIONS: readonly Mutation[] = [
  {
    name: 'one-snapshot',
    mechanism: 'what an edit says of some names is repeated as it was before the journal is followed',
    edits: [
      {
        file: 'lib/delivery/reconcile/catch-up.ts',
        find: "if (this.state.step === 'between') await this.#meetHead();",
        replace: 'await this.#meetHead();',
      },
    ],
    scenario: 'edits-cut-off',
  },
  {
    name: 'edit-above-what-was-sent',
    mechanism: 'an edit begins at a head above all that was sent under the old selection',
    edits: [
      {
        file: 'lib/delivery/reconcile/catch-up.ts',
        find: '    await this.#followTo(await this.#head());\n    const { edit } = this.state;',
        replace: '    const { edit } = this.state;',
      },
    ],
    scenario: 'edits-cut-off',
  },
  {
    name: 'difference-above-what-was-sent',
    mechanism: 'so does what an edit says of the next names',
    edits: [
      {
        file: 'lib/delivery/reconcile/catch-up.ts',
        find: "    await this.#followTo(await this.#head());\n    await this.#progress.store({ step: 'difference', failures: 0 });",
        replace:
          "    await this.#progress.store({ step: 'difference', failures: 0 });\n    await this.#followTo(await this.#head());",
      },
    ],
    scenario: 'edits-cut-off',
  },
  {
    name: 'boundary-of-an-edit',
    mechanism:
      'while an edit runs, names up to its boundary follow the new selection and the others the old one',
    edits: [
      {
        file: 'lib/delivery/reconcile/follow-journal.ts',
        find: "const isEdited = state.step === 'journal' || change.nameKey <= state.boundary;",
        replace: "const isEdited = state.step !== 'gone' || change.nameKey <= state.boundary;",
      },
    ],
    scenario: 'edits-cut-off',
  },
  {
    name: 'edit-by-number',
    mechanism: 'what follows the old selection bears the number of the edit before',
    edits: [
      {
        file: 'lib/delivery/subscription/subscription-state.ts',
        find: 'edit: state.edit - 1 };',
        replace: 'edit: state.edit };',
      },
    ],
    scenario: 'edits-cut-off',
  },
  {
    name: 'deduplication-by-name',
    mechanism: 'the deduplication id of what an edit says carries the name: many share a position',
    edits: [
      {
        file: 'lib/delivery/event-message.ts',
        find: ".digest('hex').slice(0, 16)",
        replace: ".digest('hex').slice(0, 0)",
      },
    ],
    scenario: 'edits-cut-off',
  },
  {
    name: 'edit-finished-first',
    mechanism: 'an edit during an edit finishes the running one first',
    edits: [
      {
        file: 'lib/delivery/reconcile/catch-up.ts',
        find: '      await this.#finishEdit();\n      while (this.#isEdited) {',
        replace: '      if (!this.#isEdited) await this.#finishEdit();\n      while (this.#isEdited) {',
      },
    ],
    scenario: 'edits-cut-off',
  },
  {
    name: 'edited-before-its-queue-is-known',
    mechanism: 'a queue that may have been made may have been told the end of an edit',
    edits: [
      {
        file: 'lib/delivery/reconcile/catch-up.ts',
        find: "return queueName !== '' && step !== 'gone' && position !== 0;",
        replace:
          "return queueName !== '' && this.state.queueUrl !== '' && step !== 'gone' && position !== 0;",
      },
    ],
    scenario: 'edits-cut-off',
  },
  {
    name: 'let-go-where-wanted',
    mechanism: 'dispatch lets go of a subscription that reconcile wants',
    edits: [
      {
        file: 'lib/delivery/dispatch/run-round.ts',
        find: "split(all, ({ recall }) => recall !== '')",
        replace: "split(all, ({ recall }) => recall === 'never')",
      },
    ],
    scenario: 'edited',
  },
  {
    name: 'stored-in-order',
    mechanism: 'what reconcile stored is not taken back by an earlier request that arrives late',
    edits: [
      {
        file: 'lib/delivery/reconcile/progress.ts',
        find: '      sinceStored(this.state),\n',
        replace: '',
      },
    ],
    scenario: 'suspended',
  },
  {
    name: 'suspended-once-let-go',
    mechanism: 'a subscription says that it is suspended when dispatch has let go of it',
    edits: [
      {
        file: 'lib/delivery/reconcile/catch-up.ts',
        find: "return this.#recall('the subscription is suspended');",
        replace: 'return this.#progress.store({ suspended: this.#wanted.generation });',
      },
      {
        file: 'lib/delivery/subscription/subscription-status.ts',
        find: "if (state.membership === 'synced') return 'Synced';\n  if (state.suspended > 0 || isHeld(state.standing)) return 'Suspended';",
        replace:
          "if (state.suspended > state.generation || isHeld(state.standing)) return 'Suspended';\n  if (state.membership === 'synced') return 'Synced';",
      },
    ],
    scenario: 'suspended',
  },
  {
    name: 'forget-before-a-fresh-snapshot',
    mechanism: 'ERROR 410 comes before a fresh snapshot',
    edits: [
      {
        file: 'lib/delivery/reconcile/catch-up.ts',
        find: 'await this.#progress.send([goneMessage(this.state, this.state.failure)]);',
        replace: 'void goneMessage;',
      },
    ],
    scenario: 'stood-still',
  },
  {
    name: 'namespaces-are-chosen',
    mechanism: 'other namespaces that a namespaceSelector selects are an edit',
    edits: [
      {
        file: 'lib/delivery/subscription/selection.ts',
        find: 'return JSON.stringify({ selector, fieldSelector, allNamespaces, namespace, namespaces, scope, payload });',
        replace:
          'void namespaces;\n  return JSON.stringify({ selector, fieldSelector, allNamespaces, namespace, scope, payload });',
      },
    ],
    scenario: 'relabelled-namespaces',
  },
  {
    name: 'index-of-namespaces',
    mechanism: 'the match index is brought to the namespaces that are selected',
    edits: [
      {
        file: 'lib/delivery/dispatch/subscription-index.ts',
        find: 'left.namespaces === right.namespaces &&',
        replace: '',
      },
    ],
    scenario: 'relabelled-namespaces',
  },
  {
    name: 'labels-are-told',
    mechanism: 'dispatch tells reconcile that labels of namespaces changed',
    edits: [
      {
        file: 'lib/delivery/dispatch/reconcile-messages.ts',
        find: 'if (relabelled === undefined) return told;',
        replace: 'if (relabelled === undefined || told.length >= 0) return told;',
      },
    ],
    scenario: 'relabelled-by-notices',
  },
  {
    name: 'schedule-finds-relabelled',
    mechanism: 'the schedule finds who follows other namespaces than are selected',
    edits: [
      {
        file: 'lib/delivery/reconcile/why-waiting.ts',
        find: "if (selectsOthers(object, state, namespaces)) return 'it selects from other namespaces';",
        replace: 'void [selectsOthers, namespaces];',
      },
    ],
    scenario: 'relabelled-namespaces',
  },
];
