/** Matches the name of an image: `registry:5000/team/app`, then a tag, then a digest. */
const IMAGE = /^(?:[\w.-]+(?::\d+)?\/)?[a-z0-9._/-]+?(?::([\w][\w.-]{0,127}))?(@[\w+.-]+:[0-9a-fA-F]{32,})?$/;

/**
 * Returns the tag of an image's name: `latest` if it has neither tag nor digest, `''` if it has only a digest or is
 * invalid.
 */
export function tagOf(image: string): string {
  const parts = IMAGE.exec(image);
  if (parts === null) return '';
  const [, tag, digest] = parts;
  return tag ?? (digest === undefined ? 'latest' : '');
}
