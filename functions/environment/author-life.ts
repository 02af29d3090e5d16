import { AUTHOR_LIFE, type AuthorLife, readAuthorLife } from '../../lib/platform/index.ts';
import { optional } from './optional.ts';

/** How long delivery lasts for a user who is not seen: checked when it was deployed. */
export function authorLife(): AuthorLife {
  return readAuthorLife(optional('authorNotSeenAfter') ?? AUTHOR_LIFE);
}
