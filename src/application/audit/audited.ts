import { type Actor, nameInProject, parseArchiveName, Refusal } from '../../domain/index.js';
import type { AuditAction } from '../ports/audit-log.js';
import type { ManageProject } from '../projects/manage-project.js';
import type { MakeTokens } from '../tokens/made-tokens.js';
import type { DeleteVersion, RestoreVersion } from '../versions/delete-and-restore.js';
import type { UploadVersion } from '../versions/upload-version.js';
import type { Attempt, Audit } from './audit.js';

/** The use cases that change something for an actor. */
interface Changing {
  readonly uploadVersion: UploadVersion;
  readonly deleteVersion: DeleteVersion;
  readonly restoreVersion: RestoreVersion;
  readonly manageProject: ManageProject;
  readonly makeTokens: MakeTokens;
}

/** Returns the use cases with their refusals recorded; what they change, `Changes` records. */
export function audited<Some extends Changing>(useCases: Some, audit: Audit): Some {
  if (!audit.isOn) return useCases;
  const recording = <Use extends object>(use: Use, attempts: Attempts<Use>): Use =>
    Object.create(use, recordingMethods(use, attempts, audit));
  const setting = (action: AuditAction) => (actor: Actor, project: string) => ({ action, actor, project });
  const labelled = (action: AuditAction) => (actor: Actor, project: string, version: string) => ({
    ...{ action, actor, project, version },
  });
  return {
    ...useCases,
    uploadVersion: recording(useCases.uploadVersion, {
      receive: (actor, fileName) => ({ action: 'publish', actor, ...namesIn(fileName) }),
      publish: ({ actor, id }) => ({
        ...{ action: 'publish', actor, project: id.project, version: nameInProject(id) },
      }),
      execute: ({ actor, fileName }) => ({ action: 'publish', actor, ...namesIn(fileName) }),
    }),
    deleteVersion: recording(useCases.deleteVersion, {
      remove: (actor, project, version, { purge = false } = {}) => ({
        ...{ action: purge ? 'purge' : 'remove', actor, project, version },
      }),
      removePreview: (actor, project, name) => ({
        ...{ action: 'purge', actor, project, version: `~${name}` },
      }),
    }),
    restoreVersion: recording(useCases.restoreVersion, { restore: labelled('restore') }),
    manageProject: recording(useCases.manageProject, {
      hide: labelled('hide'),
      deprecate: labelled('deprecate'),
      alias: setting('alias'),
      describe: setting('describe'),
      retain: setting('retain'),
    }),
    makeTokens: recording(useCases.makeTokens, {
      make: (actor) => ({ action: 'make_token', actor }),
      revoke: (actor) => ({ action: 'revoke_token', actor }),
    }),
  };
}

/** For methods of a use case, what their arguments ask for. */
type Attempts<Use> = {
  readonly [Name in keyof Use]?: Use[Name] extends (...given: infer Given) => Promise<unknown>
    ? (...given: Given) => Attempt
    : never;
};

function recordingMethods<Use extends object>(use: Use, attempts: Attempts<Use>, audit: Audit) {
  const methods: PropertyDescriptorMap = {};
  for (const [name, attemptOf] of Object.entries(attempts)) {
    const method = use[name as keyof Use] as (...given: unknown[]) => Promise<unknown>;
    methods[name] = {
      value: async (...given: unknown[]) => {
        try {
          return await method.apply(use, given);
        } catch (error) {
          // Any other error is that of a client who left, say: whoever serves it knows.
          if (!(error instanceof Refusal)) throw error;
          throw await audit.failed(error, (attemptOf as (...given: unknown[]) => Attempt)(...given));
        }
      },
    };
  }
  return methods;
}

/** Project and version of an archive's name, where it is one. */
function namesIn(fileName: string): Pick<Attempt, 'project' | 'version'> {
  try {
    const id = parseArchiveName(fileName);
    return { project: id.project, version: nameInProject(id) };
  } catch {
    return {};
  }
}
