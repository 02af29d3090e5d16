import { describe, expect, it } from '@jest/globals';
import { SelectorError } from '../../../../lib/selectors/index.ts';
import { selectionOf } from '../../../../lib/server/http/selection.ts';
import { NAMESPACES, PODS, refusalOf, routeTo, storedPod } from '../fixtures.ts';

const everywhere = { ...routeTo(PODS), namespace: '' };

function selected(query: string, route = routeTo(PODS)) {
  return selectionOf(route, new URLSearchParams(query));
}

describe('The selection of a request', () => {
  it('The selection is by default everything in the namespace of the URL', () => {
    const { selector, namespace, name, matches } = selected('');
    expect(selector.isEmpty).toBe(true);
    expect({ namespace, name, matches }).toEqual({ namespace: 'default' });
  });

  it('The selection reads a space as a plus', () => {
    const { selector } = selected('labelSelector=environment+in+%28production%2Cqa%29');
    expect(selector.toString()).toBe('environment in (production,qa)');
  });

  it.each([
    ['metadata.name=x', { namespace: undefined, name: 'x' }],
    ['metadata.namespace=a,metadata.name==x', { namespace: 'a', name: 'x' }],
    ['metadata.name!=x', { namespace: undefined, name: undefined }],
  ])('The selection narrows the read by %s', (fieldSelector, narrowed) => {
    const { namespace, name } = selected(new URLSearchParams({ fieldSelector }).toString(), everywhere);
    expect({ namespace, name }).toEqual(narrowed);
  });

  it('The selection of a watch of one object is that object', () => {
    const { name } = selected('', { ...routeTo(PODS), verb: 'watch', name: 'x' });
    expect(name).toBe('x');
  });

  it('The selection stays in the namespace of the URL whatever the field selector says', () => {
    const { namespace, matches } = selected('fieldSelector=metadata.namespace%3Dother');
    expect(namespace).toBe('default');
    expect(matches?.(storedPod())).toBe(false);
  });

  it.each([
    ['metadata.name=x', true],
    ['metadata.name!=x', false],
    ['metadata.namespace=default', true],
    ['status.phase=Pending', true],
    ['status.phase!=Pending', false],
    ['spec.nodeName=n1,status.phase=Pending', true],
    ['spec.nodeName=', false],
  ])('The selection matches by %s', (fieldSelector, matched) => {
    const { matches } = selected(new URLSearchParams({ fieldSelector }).toString(), everywhere);
    expect(matches?.(storedPod())).toBe(matched);
  });

  it.each(['a/b', 'a%b', 'x'.repeat(300), ''])('The selection by the impossible name %j is empty', (name) => {
    const { selector, name: narrowed } = selected(
      `fieldSelector=metadata.name%3D${encodeURIComponent(name)}`,
    );
    expect(narrowed).toBeUndefined();
    expect(selector.matches({})).toBe(false);
  });

  it('The selection refuses a field that the type does not have', () => {
    const route = routeTo(NAMESPACES);
    const refusal = refusalOf(() => selected('fieldSelector=spec.nodeName%3Dx', route));
    expect(refusal.code).toBe(400);
    expect(refusal.message).toBe('field label not supported: spec.nodeName');
  });

  it('The selection refuses a malformed selector', () => {
    expect(() => selected('labelSelector=a%20b')).toThrow(SelectorError);
  });
});
