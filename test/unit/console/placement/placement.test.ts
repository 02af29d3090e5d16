import { describe, expect, it } from '@jest/globals';
import {
  hasReason,
  type Placement,
  placementSentence,
  reasonsOf,
  rowsOf,
} from '../../../../console/placement/placement.ts';

const placement: Placement = {
  assigned: ['b', 'a', 'b'],
  feasible: [
    { node: 'a', score: 300, scores: { TaintToleration: 300, ImageLocality: 0 } },
    { node: 'c', score: 290, scores: { TaintToleration: 290 } },
    { node: 'b', score: 280, scores: {} },
  ],
  refused: [
    { node: 'z', rule: 'NodeAffinity', reasons: ["node(s) didn't match Pod's node affinity/selector"] },
    { node: 'x', rule: 'NodeResourcesFit', reasons: ['Insufficient cpu', 'Insufficient memory'] },
    { node: 'y', rule: 'NodeResourcesFit', reasons: ['Insufficient cpu'] },
  ],
};

describe('The rows of a placement', () => {
  it('Chosen nodes come first, then possible ones by score, then refused ones by name', () => {
    const rows = rowsOf(placement);
    expect(rows.map(({ node, verdict, pods }) => `${node} ${verdict} ${pods}`)).toEqual([
      'b chosen 2',
      'a chosen 1',
      'c possible 0',
      'x refused 0',
      'y refused 0',
      'z refused 0',
    ]);
    expect(rows.find(({ node }) => node === 'a')?.scores).toEqual([['TaintToleration', 300]]);
  });

  it('Reasons are grouped with the number of their nodes, and find their rows', () => {
    const rows = rowsOf(placement);
    const reasons = reasonsOf(rows);
    expect(reasons.map(({ text, nodes }) => `${nodes} ${text}`)).toEqual([
      '2 Insufficient cpu',
      '1 Insufficient memory',
      "1 didn't match Pod's node affinity/selector",
    ]);
    const found = reasons.map((reason) =>
      rows.filter((row) => hasReason(row, reason)).map(({ node }) => node),
    );
    expect(found).toEqual([['x', 'y'], ['x'], ['z']]);
  });
});

describe('The answer in a sentence', () => {
  it('One pod goes to a node, or no node accepts it', () => {
    const [first] = placement.feasible;
    if (first === undefined) throw new Error('the fixture has nodes');
    const one = { ...placement, assigned: ['a'], feasible: [first] };
    expect(placementSentence(one, 1)).toBe('The pod would go to a: 1 node accepts it.');
    expect(placementSentence({ ...one, assigned: [], message: '0/3 nodes are available' }, 1)).toBe(
      'No node accepts the pod.',
    );
  });

  it('Several pods go to nodes, or only some of them do', () => {
    expect(placementSentence(placement, 3)).toBe('All 3 pods get a node, on 2 nodes.');
    expect(placementSentence({ ...placement, message: 'no room' }, 5)).toBe('3 of 5 pods get a node.');
  });
});
