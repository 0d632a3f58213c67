import { InputError } from '@pelt/model';
import type { GltfExtension } from './extension-payload.ts';

/** Version of each extension that is written, and the only one that is read; docs/extensions describes them. */
export const EXTENSION_VERSION = 1;

/** Throws `InputError` where an extension has another version than this reads. */
export function requireVersion({ name, json }: GltfExtension): void {
  if (json.version === EXTENSION_VERSION) return;
  const found = json.version === undefined ? 'has no version' : `has version ${String(json.version)}`;
  throw new InputError(
    `${name} ${found}; this reads version ${EXTENSION_VERSION}, so write the file again or update pelt`,
  );
}
