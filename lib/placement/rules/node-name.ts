import type { FilterRule } from './rule.ts';

const REASONS = ["node(s) didn't match the requested node name"];

/** Refuses all nodes but the one in `spec.nodeName`. */
export const nodeName: FilterRule = {
  name: 'NodeName',
  prepare({ spec }) {
    if (!spec.nodeName) return undefined;
    return { refuse: ({ name }) => (name === spec.nodeName ? undefined : REASONS) };
  },
};
