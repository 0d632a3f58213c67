/** Regions of the skin that stay or may depart from the examples, painted; and what posing works with, shown. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { PoseGuest, PoseTool } from '../viewport/pose-guest.ts';
import { Segments, Slider, Toggle } from './controls.tsx';

interface PoseRegionToolsProps {
  readonly guest: PoseGuest;
  readonly changes: ReadonlySignal<number>;
}

/** Width of a new brush, in parts of the model's radius. */
const BRUSH = 0.12;

export function PoseRegionTools({ guest, changes }: PoseRegionToolsProps) {
  void changes.value;
  const tool = useSignal<PoseTool>('pull');
  const brush = useSignal(BRUSH);
  const marks = useSignal(false);
  useEffect(() => guest.setTool(tool.value, brush.value), [guest, tool.value, brush.value]);
  useEffect(() => {
    guest.marks = marks.value;
  }, [guest, marks.value]);
  const { pinned, free } = guest.regions;
  return (
    <details class="fold">
      <summary class="dim">
        Regions {pinned + free > 0 && <span class="small">· {pinned + free} vertices</span>}
      </summary>
      <div class="group">
        <Segments
          label="Pressing"
          value={tool.value}
          choices={[
            ['pull', 'pulls', 'Press on the skin and drag'],
            ['pinned', 'pins', 'What is painted stays where it is'],
            ['free', 'frees', 'What is painted may depart from the examples'],
          ]}
          onChange={(next) => {
            tool.value = next;
          }}
        />
        {tool.value !== 'pull' && (
          <>
            <p class="dim small">Paint over the skin; Shift takes away.</p>
            <Slider
              label="Brush"
              value={brush.value}
              min={0.02}
              max={0.4}
              step={0.01}
              onChange={(size) => {
                brush.value = size;
              }}
            />
          </>
        )}
        {pinned + free > 0 && (
          <div class="row">
            <span class="dim small">
              {pinned} stay, {free} are free
            </span>
            <button type="button" class="button" onClick={() => guest.clearRegions()}>
              None
            </button>
          </div>
        )}
        <Toggle
          label="Controls and proxies"
          title="What posing works with: affine controls in orange, and the points that stand for the skin"
          value={marks.value}
          onChange={(on) => {
            marks.value = on;
          }}
        />
      </div>
    </details>
  );
}
