/** Limbs that are held at a place: hands and feet by their names, or any joint, with as many bones as turn for it. */
import { findBodyJoints } from '@pelt/model';
import type { ReadonlySignal } from '@preact/signals';
import type { JointGuest } from '../viewport/joint-guest.ts';
import { Slider } from './controls.tsx';

interface JointReachProps {
  readonly guest: JointGuest;
  /** The joint that is chosen. */
  readonly joint: number;
  readonly turns: ReadonlySignal<number>;
}

const ENDS: ReadonlySet<string> = new Set(['leftWrist', 'rightWrist', 'leftAnkle', 'rightAnkle']);
/** Of an arm or a leg, and of the longest chain. */
const [BONES, MOST_BONES] = [2, 12];

export function JointReach({ guest, joint, turns }: JointReachProps) {
  void turns.value;
  const { joints, reaches } = guest;
  const body = findBodyJoints([...joints]);
  const ends = joints.filter((_, j) => ENDS.has(body[j] ?? ''));
  const free = ends.filter((name) => !reaches.has(name));
  const name = joints[joint];
  const isEmpty = free.length === 0 && (reaches.has(name) || !guest.canHold(name));
  return (
    <details class="fold" open={reaches.size > 0}>
      <summary class="dim">Hold limbs {reaches.size > 0 && <span class="small">· {reaches.size} held</span>}</summary>
      <div class="group">
        <p class="dim small">
          {isEmpty && reaches.size === 0
            ? 'Choose a joint with two bones above it.'
            : 'A held limb reaches for its box; the ball says which way its middle bends. Drag either, and key it.'}
        </p>
        <div class="row">
          {free.length > 0 && (
            <button
              type="button"
              class="button"
              onClick={() => {
                for (const end of free) guest.hold(end, BONES);
                guest.end();
              }}
            >
              Hands and feet
            </button>
          )}
          {!reaches.has(name) && guest.canHold(name) && (
            <button
              type="button"
              class="button"
              title={`${name} stays where it is; the joints above it turn for that`}
              onClick={() => {
                guest.hold(name, BONES);
                guest.end();
              }}
            >
              Hold {name}
            </button>
          )}
        </div>
        {[...reaches].map(([end, { bones }]) => (
          <div class="row" key={end}>
            <Slider
              label={end}
              title="Bones that turn for it"
              value={bones}
              min={2}
              max={MOST_BONES}
              onChange={(count) => {
                guest.hold(end, Math.round(count));
                guest.end();
              }}
            />
            <button
              type="button"
              class="quiet"
              aria-label={`Let ${end} go`}
              onClick={() => {
                guest.hold(end, undefined);
                guest.end();
              }}
            >
              ×
            </button>
          </div>
        ))}
      </div>
    </details>
  );
}
