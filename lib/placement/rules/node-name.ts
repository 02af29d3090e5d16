import type { FilterRule } from './rule.ts';

const REASONS = ["node(s) didn't match the requested node name"];

/** `spec.nodeName` names the only node. */
export const nodeName: FilterRule = {
  name: 'NodeName',
  prepare({ spec }) {
    if (!spec.nodeName) return undefined;
    return { refuse: ({ name }) => (name === spec.nodeName ? undefined : REASONS) };
  },
};
