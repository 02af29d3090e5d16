import type { Mutation } from './mutation.ts';

const VERBS = 'lib/server/verbs';
const APPLY = `${VERBS}/apply-object.ts`;
const DELETE_ALL = `${VERBS}/delete-collection.ts`;
const PATCH = `${VERBS}/patch-object.ts`;
const TOKENS = `${VERBS}/continue-token.ts`;
const WATCHES = 'lib/server/scoped/scoped-watches.ts';

/** Mechanisms by which patches, applies, deletions by the collection, streamed lists, Events and tokens stay within grants. */
export const VERB_MUTATIONS: readonly Mutation[] = [
  {
    name: 'patches-within-sight',
    mechanism: 'a patch is of what the grants select, before and after',
    edits: [
      { file: PATCH, find: '  type ApiRequest,\n', replace: '  type ApiRequest,\n  asServer,\n' },
      {
        file: PATCH,
        find: 'return changeObject(call, {',
        replace: 'return changeObject({ ...call, options: asServer(options) }, {',
      },
    ],
    scenario: 'tenants-every-verb',
  },
  {
    name: 'applies-within-sight',
    mechanism: 'an apply changes what the grants select, so that they still do',
    edits: [
      { file: APPLY, find: '  announceCommit,\n', replace: '  announceCommit,\n  asServer,\n' },
      { file: APPLY, find: 'await options.store.write(', replace: 'await asServer(options).store.write(' },
    ],
    scenario: 'tenants-every-verb',
  },
  {
    name: 'collections-within-sight',
    mechanism: 'a deletion of a collection deletes what the grants select',
    edits: [
      { file: DELETE_ALL, find: '  type Answer,\n', replace: '  type Answer,\n  asServer,\n' },
      {
        file: DELETE_ALL,
        find: 'deleteCollection(call: Call): Promise<Answer> {',
        replace:
          'deleteCollection(asked: Call): Promise<Answer> {\n  const call = { ...asked, options: asServer(asked.options) };',
      },
    ],
    scenario: 'tenants-every-verb',
  },
  {
    name: 'streamed-within-sight',
    mechanism: 'a watch that begins with what there is begins with what the grants select',
    edits: [
      {
        file: WATCHES,
        find: '{ ...request, selector: selectorWithin(request.selector, scope) }',
        replace:
          'request.marksInitial ? request : { ...request, selector: selectorWithin(request.selector, scope) }',
      },
    ],
    scenario: 'tenants-every-verb',
  },
  {
    name: 'events-follow-their-objects',
    mechanism: 'an Event is seen where its object is',
    edits: [
      {
        file: 'lib/server/scoped/row-filter.ts',
        find: 'return one !== undefined && seen.has(idOf(one));',
        replace: 'return one !== undefined;',
      },
    ],
    scenario: 'tenants-every-verb',
  },
  {
    name: 'told-events-follow-objects',
    mechanism: 'an Event is told by a watch where its object is seen then',
    edits: [
      {
        file: WATCHES,
        find: 'const isTold = await isSeen(event);',
        replace: 'const isTold = (await isSeen(event)) || true;',
      },
    ],
    scenario: 'tenants-every-verb',
  },
  {
    name: 'tokens-of-one-scope',
    mechanism: 'a continue token is good only for who sees the same objects',
    edits: [
      {
        file: 'lib/server/access/token-cipher.ts',
        find: 'JSON.stringify([this.#scope, about])',
        replace: 'JSON.stringify(about)',
      },
    ],
    scenario: 'tenants-every-verb',
  },
  {
    name: 'open-tokens-are-no-tenants',
    mechanism: 'to who sees some objects only a token that is not sealed is none',
    edits: [
      {
        file: TOKENS,
        find: 'owner.seal === undefined && token.sealed',
        replace: 'token.sealed',
      },
    ],
    scenario: 'tenants-every-verb',
  },
];
