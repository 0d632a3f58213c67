/** Templates that hand a batch to a farm manager: each of its tasks calls `pelt run` on one line of the batch. */
import { UsageError } from '@pelt/model';

export const MANAGERS = ['slurm', 'k8s', 'openjd'] as const;
export type Manager = (typeof MANAGERS)[number];

/**
 * A file for a farm manager that runs every job of a batch. Jobs that wait for others are not for these templates: their
 * order is known to `pelt batch` alone.
 *
 * @param batchFile  as the tasks will find it
 * @param lines      numbers of the lines that hold jobs, from 1
 * @example
 * {@includeCode ../../examples/batch.ts}
 */
export function emitTemplate(manager: Manager, batchFile: string, lines: readonly number[]): string {
  if (!MANAGERS.includes(manager)) throw new UsageError(`--emit ${manager}: give ${MANAGERS.join(', ')}`);
  if (/["'\\$`\n]/.test(batchFile))
    throw new UsageError(`'${batchFile}' has quotes in its name; rename it for a shell`);
  switch (manager) {
    case 'slurm':
      return slurm(batchFile, lines);
    case 'k8s':
      return kubernetes(batchFile, lines);
    case 'openjd':
      return openJobDescription(batchFile, lines);
  }
}

function slurm(batchFile: string, lines: readonly number[]): string {
  return `#!/bin/bash
#SBATCH --job-name=pelt
#SBATCH --array=${ranges(lines)}
#SBATCH --cpus-per-task=4
#SBATCH --mem=4G
# Exit codes 1 to 3 are bad requests and bad files: running them again does not help.
srun pelt run "${batchFile}" --line "$SLURM_ARRAY_TASK_ID" --threads "$SLURM_CPUS_PER_TASK"
`;
}

function kubernetes(batchFile: string, lines: readonly number[]): string {
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: pelt
spec:
  completionMode: Indexed
  completions: ${lines.length}
  parallelism: ${Math.min(lines.length, 8)}
  backoffLimitPerIndex: 2
  podFailurePolicy:
    rules:
      # Bad requests and bad files stay bad.
      - action: FailIndex
        onExitCodes: { containerName: pelt, operator: In, values: [1, 2, 3] }
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: pelt
          image: node:22
          workingDir: /work
          command: ["/bin/sh", "-c"]
          args:
            - |
              set -- ${lines.join(' ')}
              shift "$JOB_COMPLETION_INDEX"
              exec npx pelt run "${batchFile}" --line "$1" --threads 2
          resources:
            requests: { cpu: "2", memory: 2Gi }
          volumeMounts:
            - { name: work, mountPath: /work }
      volumes:
        - name: work
          persistentVolumeClaim: { claimName: pelt-work }
`;
}

function openJobDescription(batchFile: string, lines: readonly number[]): string {
  const template = {
    specificationVersion: 'jobtemplate-2023-09',
    name: 'pelt',
    parameterDefinitions: [{ name: 'BatchFile', type: 'PATH', objectType: 'FILE', dataFlow: 'IN', default: batchFile }],
    steps: [
      {
        name: 'Run',
        parameterSpace: { taskParameterDefinitions: [{ name: 'Line', type: 'INT', range: [...lines] }] },
        script: {
          actions: {
            onRun: { command: 'pelt', args: ['run', '{{Param.BatchFile}}', '--line', '{{Task.Param.Line}}'] },
          },
        },
      },
    ],
  };
  return `${JSON.stringify(template, undefined, 2)}\n`;
}

/** `1-3,5` */
function ranges(lines: readonly number[]): string {
  const parts: string[] = [];
  for (let k = 0; k < lines.length; ) {
    let end = k;
    while (end + 1 < lines.length && lines[end + 1] === lines[end] + 1) end++;
    parts.push(end > k ? `${lines[k]}-${lines[end]}` : `${lines[k]}`);
    k = end + 1;
  }
  return parts.join(',');
}
