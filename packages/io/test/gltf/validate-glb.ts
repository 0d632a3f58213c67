import validator from 'gltf-validator';

/** What the Khronos validator holds against a file: its errors and warnings, not its remarks. */
export async function complaintsAbout(glb: Uint8Array): Promise<string[]> {
  const { issues } = await validator.validateBytes(glb, { maxIssues: 0 });
  return issues.messages
    .filter(({ severity }) => severity < 2)
    .map(({ code, message, pointer }) => `${code} ${pointer ?? ''}: ${message}`);
}
