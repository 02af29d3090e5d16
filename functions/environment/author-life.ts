import { AUTHOR_LIFE, type AuthorLife, readAuthorLife } from '../../lib/platform/index.ts';
import { optional } from './optional.ts';

/** How long delivery continues for an author who makes no request. The deployment has validated the value. */
export function authorLife(): AuthorLife {
  return readAuthorLife(optional('authorNotSeenAfter') ?? AUTHOR_LIFE);
}
