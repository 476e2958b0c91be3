import type { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import {
  LATEST,
  NO_SETTINGS,
  type ProjectSettings,
  withAlias,
  withDeprecated,
  withDescription,
  withHidden,
} from '../../src/domain/index.js';
import { describeCrashes, prepared, type Scenario } from './crash-scenarios.js';

const PINNED = withAlias(NO_SETTINGS, LATEST, '1.0');
const DESCRIBED = withDescription(PINNED, { title: 'Ledger', tags: ['sdk'] });
const NAMED = withAlias(PINNED, 'stable', '1.0');

describeCrashes([
  changing('setting settings of a project for the first time', NO_SETTINGS, PINNED),
  changing('changing settings of a project', PINNED, withAlias(NO_SETTINGS, LATEST, '2.0')),
  changing('removing the last setting of a project', PINNED, NO_SETTINGS),
  changing('setting an alias', PINNED, NAMED),
  changing('moving an alias', NAMED, withAlias(NAMED, 'stable', '2.x')),
  changing('removing an alias', NAMED, PINNED),
  changing('hiding a version', NAMED, withHidden(NAMED, '1.0', true)),
  changing('showing a version again', withHidden(NAMED, '1.0', true), NAMED),
  changing('deprecating a version', NAMED, withDeprecated(NAMED, '1.0', 'Take 2.0')),
  changing('describing a project for the first time', PINNED, DESCRIBED),
  changing('describing a project anew', DESCRIBED, withDescription(PINNED, { title: 'Books' })),
  changing('taking back what was said of a project', DESCRIBED, PINNED),
]);

/** The settings of project b, whose version 1.0 web servers may send, under its aliases too. */
function changing(title: string, from: ProjectSettings, to: ProjectSettings): Scenario {
  const change = (settings: ProjectSettings) => (store: FilesystemDocStore) =>
    store.changeSettings('b', () => settings);
  return {
    title,
    prepare: (docs) => prepared(docs, change(from)),
    act: change(to),
    versions: {},
    settings: [from, to],
  };
}
