import { readOsc, VmcReceiver, vmcMessages, vmcSkeleton, writeOsc } from '@pelt/io';

// A spine of two bones, sent as a packet and received.
const at = (y: number) => Float64Array.of(1, 0, 0, 0, 0, 1, 0, y, 0, 0, 1, 0);
const bones = [
  { name: 'pelvis', parent: -1, rest: at(1) },
  { name: 'back', parent: 0, rest: at(1.2) },
];
const pose = Float64Array.from([...at(0.5), ...at(0.5)]);
const packet = writeOsc(vmcMessages(bones, vmcSkeleton({ hips: 0, spine: 1 }), pose, 0));
const receiver = new VmcReceiver();
for (const message of readOsc(packet)) receiver.take(message);
const frame = receiver.flush();
if (frame?.joints.join() !== 'hips,spine' || Math.abs(frame.positions[4] - 1.7) > 1e-6) {
  throw new Error('the spine is not where it was sent');
}
