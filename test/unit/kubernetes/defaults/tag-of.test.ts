import { describe, expect, it } from '@jest/globals';
import { tagOf } from '../../../../lib/kubernetes/defaults/tag-of.ts';

const DIGEST = `@sha256:${'a'.repeat(64)}`;

describe('the tag of an image', () => {
  it.each([
    ['nginx', 'latest'],
    ['nginx:latest', 'latest'],
    ['nginx:1.27', '1.27'],
    ['team/app', 'latest'],
    ['registry.example.com:5000/team/app', 'latest'],
    ['registry.example.com:5000/team/app:v2', 'v2'],
    ['localhost/app:v2', 'v2'],
    [`nginx${DIGEST}`, ''],
    [`nginx:latest${DIGEST}`, 'latest'],
    ['', ''],
    ['Nginx', ''],
    ['a b', ''],
  ])('the tag of the image %j is %j', (image, tag) => {
    expect(tagOf(image)).toBe(tag);
  });

  it('tagOf takes linear time for a long invalid name', () => {
    expect(tagOf(`${'a/'.repeat(50_000)}!`)).toBe('');
  });
});
