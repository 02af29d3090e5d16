import { afterEach, describe, expect, it } from '@jest/globals';
import { readAddress } from '../../../../lib/client/objects/address.ts';

afterEach(() => {
  delete process.env.WINNOW_URL;
  delete process.env.WINNOW_TOKEN;
});

describe('The address of Winnow', () => {
  it.each([
    ['https://winnow.example', 'https://winnow.example'],
    ['https://winnow.example/', 'https://winnow.example'],
    ['https://winnow.example/prod/', 'https://winnow.example/prod'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ])('The URL %s has the base %s', (url, base) => {
    expect(readAddress({ url }).base).toBe(base);
  });

  it.each([
    ['winnow.example', 'is not an http or https URL'],
    ['file:///etc/passwd', 'is not an http or https URL'],
    ['https://user:secret@winnow.example', 'has a user or a password'],
  ])('The URL %s is refused', (url, why) => {
    expect(() => readAddress({ url })).toThrow(why);
  });

  it('An error about a URL does not contain its password', () => {
    expect(() => readAddress({ url: 'https://user:secret@winnow.example' })).not.toThrow('secret');
  });

  it.each(['http://winnow.example', 'http://10.0.0.1:8080', 'http://127.0.0.1.evil.example'])(
    'A token for %s is refused, because it would travel without encryption',
    (url) => {
      expect(() => readAddress({ url, token: 't' })).toThrow('without encryption');
      expect(() => readAddress({ url })).not.toThrow();
    },
  );

  it.each(['http://127.0.0.1', 'http://localhost:8080', 'http://[::1]:80', 'https://winnow.example'])(
    'A token for %s is accepted',
    async (url) => {
      expect(await readAddress({ url, token: 't' }).authorization()).toBe('Bearer t');
    },
  );

  it('Without options, the URL and the token come from the environment', async () => {
    expect(() => readAddress({})).toThrow('set the option url, or WINNOW_URL');
    process.env.WINNOW_URL = 'https://winnow.example';
    process.env.WINNOW_TOKEN = 't';
    expect(readAddress({}).base).toBe('https://winnow.example');
    expect(await readAddress({}).authorization()).toBe('Bearer t');
  });

  it('The token of the environment does not go to another URL', async () => {
    process.env.WINNOW_TOKEN = 't';
    expect(await readAddress({ url: 'https://other.example' }).authorization()).toBeUndefined();
  });

  it('A token that no header can carry is refused without its text', async () => {
    const { authorization } = readAddress({ url: 'https://winnow.example', token: 'secret\nx' });
    await expect(authorization()).rejects.toThrow('characters that a header cannot carry');
    await expect(authorization()).rejects.not.toThrow('secret');
  });
});
