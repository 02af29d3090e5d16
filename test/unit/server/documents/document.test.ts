import { describe, expect, it } from '@jest/globals';
import { jsonDocument, serveDocument } from '../../../../lib/server/documents/document.ts';

describe('A served document', () => {
  const document = jsonDocument({ a: 1 });
  const etag = document.headers.etag ?? '';

  it('A document is served with its ETag', () => {
    expect(serveDocument(document, undefined)).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json', etag, vary: 'Accept' },
      body: '{"a":1}',
    });
  });

  it.each([etag, `W/${etag}`, `"other", ${etag}`])(
    'A document is not sent again to a client that has it as %s',
    (known) => {
      expect(serveDocument(document, known)).toMatchObject({ status: 304, headers: { etag }, body: '' });
    },
  );

  it('A document is sent to a client that has another one', () => {
    const other = jsonDocument({ a: 2 }).headers.etag;
    expect(other).not.toBe(etag);
    expect(serveDocument(document, other).status).toBe(200);
  });
});
