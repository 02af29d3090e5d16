import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { connect } from '../../../../lib/client/objects/index.ts';
import { useLive, useObject } from '../../../../lib/client/react/index.ts';
import { Device } from '../objects/fleet.ts';

const asked: string[] = [];
const unused: typeof fetch = async (input) => {
  asked.push(String(input));
  return Response.error();
};
const winnow = connect({ url: 'http://127.0.0.1:1', fetch: unused });
const devices = () => winnow.objects(Device, { namespace: 'default' });

describe('A component on a server', () => {
  it('useLive renders an empty set that is not complete, without a request', () => {
    const Devices = () => createElement('p', null, JSON.stringify(useLive(devices(), 'site=north')));
    const html = renderToString(createElement(Devices)).replaceAll('&quot;', '"');
    expect(html).toBe('<p>{"objects":[],"state":"starting","complete":false,"count":0}</p>');
    expect(asked).toEqual([]);
  });

  it('useObject renders no object, without a request', () => {
    const One = () => createElement('p', null, JSON.stringify(useObject(devices(), 'cam-1')));
    expect(renderToString(createElement(One)).replaceAll('&quot;', '"')).toBe('<p>{"state":"starting"}</p>');
    expect(asked).toEqual([]);
  });

  it('A wrong selector is an error of the rendering', () => {
    const Devices = () => createElement('p', null, useLive(devices(), { site: [] }).count);
    expect(() => renderToString(createElement(Devices))).toThrow('"site" has no values');
  });
});

describe('A question of a collection', () => {
  const text = (...question: Parameters<ReturnType<typeof devices>['question']>) =>
    devices().question(...question).text;

  it('Equal questions of collections of one connection are equal, also in another form', () => {
    const [one, other] = [devices().question('site=north'), devices().question({ site: 'north' })];
    expect(one).toEqual(other);
    expect(one.connection).toBe(other.connection);
    expect(connect({ url: 'http://127.0.0.1:1' }).objects(Device).question().connection).not.toBe(
      one.connection,
    );
  });

  it('Another selector, field, limit, namespace or kind is another question', () => {
    const texts = [
      text(),
      text('site'),
      text('', { fields: { 'spec.state': 'active' } }),
      text('', { most: 5 }),
      winnow.objects(Device).question().text,
      winnow.objects({ ...Device, plural: 'gadgets' }, { namespace: 'default' }).question().text,
    ];
    expect(new Set(texts).size).toBe(texts.length);
  });
});
