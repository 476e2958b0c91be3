import type { Person } from '../../domain/index.js';

/** Port for people who bring the access token of an issuer where they have signed in. */
export interface PeopleTokens {
  /**
   * Returns the person whom a token names; undefined where no issuer of people has issued it.
   * @throws Refusal `authentication_required` for one that does not count, `person_not_accepted` for one of somebody who is not
   *   taken here, `unavailable` when its issuer cannot be asked
   */
  personOf(token: string, now: Date): Promise<Person | undefined>;
}
