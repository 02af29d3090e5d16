/** `registry:5000/team/app`, then a tag, then a digest. */
const IMAGE = /^(?:[\w.-]+(?::\d+)?\/)?[a-z0-9._/-]+?(?::([\w][\w.-]{0,127}))?(@[\w+.-]+:[0-9a-fA-F]{32,})?$/;

/** The tag of an image's name: `latest` where it has neither tag nor digest, `''` where it has none or is no name. */
export function tagOf(image: string): string {
  const parts = IMAGE.exec(image);
  if (parts === null) return '';
  const [, tag, digest] = parts;
  return tag ?? (digest === undefined ? 'latest' : '');
}
