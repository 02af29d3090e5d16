import { describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../../lib/json/index.ts';
import {
  type Carried,
  type Carrier,
  isSelected,
  judgeSelection,
  type Selection,
} from '../../../../lib/kubernetes/carriers/index.ts';
import { everyField, parseFieldSelector, parseSelector } from '../../../../lib/selectors/index.ts';

const selection = (text: string, more: Partial<Selection> = {}): Selection => ({
  path: 'spec.selector',
  target: 'core/pods',
  namespaces: ['default'],
  selector: parseSelector(text),
  fields: everyField,
  ...more,
});

const carried = (collection: Collection, name: string, text: string, controller?: string): Carried => ({
  carrier: {
    collection,
    namespace: 'default',
    name,
    uid: `uid-${name}`,
    ...(controller === undefined ? {} : { controller }),
  },
  selection: selection(text),
});

const pod = (labels: Record<string, string>) => ({ namespace: 'default', labels });
const names = (all: readonly Carried[]) => all.map(({ carrier }) => carrier.name);

describe('isSelected', () => {
  const web = pod({ app: 'web' });

  it('a selection matches by labels and namespace', () => {
    expect(isSelected(selection('app=web'), web)).toBe(true);
    expect(isSelected(selection('app=db'), web)).toBe(false);
    expect(isSelected(selection('app=web', { namespaces: ['other'] }), web)).toBe(false);
    const { namespaces: _, ...everywhere } = selection('app=web');
    expect(isSelected(everywhere, web)).toBe(true);
  });

  it('a selection matches by fields if the fields are known', () => {
    const running = selection('', { fields: parseFieldSelector('status.phase=Running') });
    expect(isSelected(running, web)).toBe(true);
    expect(isSelected(running, { ...web, readField: () => 'Running' })).toBe(true);
    expect(isSelected(running, { ...web, readField: () => undefined })).toBe(false);
  });

  it('a selection matches by the labels of the namespace', () => {
    const inProd = selection('', { namespaceSelector: parseSelector('env=prod') });
    expect(isSelected(inProd, web)).toBe(false);
    expect(isSelected(inProd, { ...web, namespaceLabels: { env: 'qa' } })).toBe(false);
    expect(isSelected(inProd, { ...web, namespaceLabels: { env: 'prod' } })).toBe(true);
  });
});

describe('the carriers that select an object before and after a change', () => {
  const service = carried('core/services', 'web', 'app=web');
  const canary = carried('core/services', 'canary', 'track=canary');
  const budget = carried('policy/poddisruptionbudgets', 'all', 'app');
  const all = [service, canary, budget];

  it('judgeSelection reports the carriers that select the object, begin to and stop to', () => {
    const judged = judgeSelection(
      { before: pod({ app: 'web' }), after: pod({ app: 'db', track: 'canary' }) },
      all,
    );
    expect(names(judged.selects)).toEqual(['canary', 'all']);
    expect(names(judged.begins)).toEqual(['canary']);
    expect(names(judged.stops)).toEqual(['web']);
  });

  it('judgeSelection handles the creation and the deletion of an object', () => {
    const comes = judgeSelection({ after: pod({ app: 'web' }) }, all);
    expect([names(comes.selects), names(comes.begins), names(comes.stops)]).toEqual([
      ['web', 'all'],
      ['web', 'all'],
      [],
    ]);
    const goes = judgeSelection({ before: pod({ app: 'web' }) }, all);
    expect([names(goes.selects), names(goes.begins), names(goes.stops)]).toEqual([
      ['web', 'all'],
      [],
      ['web', 'all'],
    ]);
  });
});

describe('The detection of overlapping controllers', () => {
  const overlaps = (...candidates: Carried[]) =>
    judgeSelection({ after: pod({ app: 'web' }) }, candidates).overlaps.map((pair) =>
      pair.map(({ name }: Carrier) => name),
    );

  it('controllers overlap if they select the same object', () => {
    expect(
      overlaps(
        carried('apps/replicasets', 'one', 'app=web'),
        carried('core/replicationcontrollers', 'two', 'app'),
        carried('apps/statefulsets', 'other', 'app=db'),
      ),
    ).toEqual([['one', 'two']]);
  });

  it('Services and PodDisruptionBudgets never overlap with a controller', () => {
    expect(
      overlaps(
        carried('apps/replicasets', 'one', 'app=web'),
        carried('core/services', 'two', 'app'),
        carried('policy/poddisruptionbudgets', 'three', 'app'),
      ),
    ).toEqual([]);
  });

  it('a Deployment and its own ReplicaSets do not overlap', () => {
    expect(
      overlaps(
        carried('apps/deployments', 'web', 'app=web'),
        carried('apps/replicasets', 'web-1', 'app=web', 'uid-web'),
        carried('apps/replicasets', 'web-2', 'app=web', 'uid-web'),
        carried('apps/replicasets', 'stranger', 'app=web', 'uid-other'),
      ),
    ).toEqual([
      ['web', 'stranger'],
      ['web-1', 'stranger'],
      ['web-2', 'stranger'],
    ]);
  });
});
