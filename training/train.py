"""Fits the networks of a game to self-play and writes them as integers.

    python3 training/train.py GAME SAMPLES WEIGHTS [--examples FILE] [--units 32] [--seed 1] [--steps 12000]

SAMPLES is what the example `selfplay` of floe-search wrote. FILE gets some samples of each phase with
the value that the integers give them here; a test of floe-search compares its own values with these.
"""

import argparse
import struct

import numpy as np
import torch

FEATURES = 64
SAMPLE = np.dtype([
    ("x", "<i2", FEATURES), ("phase", "u1"), ("sibling", "u1"),
    ("judged", "<i2"), ("searched", "<i2"), ("label", "<i2"),
])
# The layout of the integers: see `learned.rs` in floe-search.
HIDDEN_SCALE, OUT_SCALE, LINEAR_SCALE = 1 << 10, 1 << 6, 1 << 5
HIDDEN_BITS, LINEAR_BITS, OUT_BITS, MOST = 6, 5, 10, 1023
# No count is larger on boards of eight words.
LARGEST_COUNT = 512
TEST_SHARE = 20
EXAMPLES = 120
# By game: how many phases there are, whether the weights of units take 8 bits, and groups of counts in
# which no field counts twice.
GAMES = {
    "penguins": (2, False, ((0, 15), (15, 30), (30, 45), (45, 53), (53, 55), (55, 61), (61, 64))),
    "gamma": (8, True, ((0, 25), (25, 27), (27, 29), (29, 30), (30, 31), (31, 32), (32, 33), (33, 35),
                        (35, 37), (37, 39), (39, 41), (41, 44), (44, 46), (46, 48), (48, 53), (53, 54),
                        (54, 55), (55, 60), (60, 61), (61, 64))),
}


class Networks(torch.nn.Module):
    """For each phase a linear part and one layer of hidden units, of counts with mean 0 and spread 1."""

    def __init__(self, units, mean, spread):
        super().__init__()
        phases = len(mean)
        self.register_buffer("mean", mean)
        self.register_buffer("spread", spread)
        uniform = lambda *size: torch.nn.Parameter((2 * torch.rand(size) - 1) / FEATURES ** 0.5)
        self.linear, self.linear_bias = uniform(phases, FEATURES, 1), uniform(phases, 1, 1)
        self.hidden, self.hidden_bias = uniform(phases, FEATURES, units), uniform(phases, 1, units)
        self.out = torch.nn.Parameter(0.05 * torch.randn(phases, units, 1))

    def forward(self, x):
        """The values of equally many rows of each phase."""
        x = (x - self.mean[:, None]) / self.spread[:, None]
        hidden = torch.relu(torch.baddbmm(self.hidden_bias, x, self.hidden))
        return (torch.baddbmm(self.linear_bias, x, self.linear) + hidden @ self.out).squeeze(2)

    def integers(self, phase):
        """The linear part, its bias, and every unit's weights, bias and weight in the sum."""
        spread, mean = self.spread[phase].double().cpu(), self.mean[phase].double().cpu()
        def of_counts(weight, bias):
            weight = weight[phase].double().cpu().T / spread
            return weight, bias[phase, 0].double().cpu() - weight @ mean
        whole = lambda x: torch.round(x).long()
        weight, bias = of_counts(self.linear, self.linear_bias)
        linear = whole(100 * LINEAR_SCALE * weight[0])
        linear_bias = int(whole(100 * LINEAR_SCALE * bias[0] * (1 << LINEAR_BITS)))
        weight, bias = of_counts(self.hidden, self.hidden_bias)
        out = self.out[phase, :, 0].double().cpu()
        rows = zip(whole(HIDDEN_SCALE * weight), whole(HIDDEN_SCALE * bias), whole(100 * OUT_SCALE * out))
        units = [(row, int(b), int(o)) for row, b, o in rows]
        return linear, linear_bias, units


def infer(integers, x):
    """What the engine computes, in hundredths of fish, on rows of counts."""
    linear, bias, units = integers
    total = ((x @ linear) << LINEAR_BITS) + bias
    for row, unit_bias, out in units:
        total = total + ((x @ row + unit_bias) >> HIDDEN_BITS).clamp(0, MOST) * out
    return total >> OUT_BITS


def check(integers, groups):
    """Fails if a sum could overflow 32 bits or a weight 16."""
    def most(row):
        return LARGEST_COUNT * sum(int(row[first:end].abs().max()) for first, end in groups)
    linear, bias, units = integers
    assert linear.abs().max() < 1 << 15
    reach = abs(bias) + most(linear) * (1 << LINEAR_BITS)
    for row, unit_bias, out in units:
        assert row.abs().max() < 1 << 15
        assert most(row) + abs(unit_bias) < 1 << 31
        reach += MOST * abs(out)
    assert reach < 1 << 31, f"the sum may overflow: {reach}"


def shifts_of(units):
    """By count, the bits by which its weights are coarser: weights of rare counts are large."""
    rows = torch.stack([row for row, _, _ in units]).double()
    return torch.round(torch.log2(rows.square().mean(0).sqrt().clamp(min=1))).long()


def pack(row, shifts):
    """Numbers of 8 bits for a unit's weights, and the bits by which all of these are coarser."""
    for unit_shift in range(-15, 16):
        scale = (1 << (shifts + unit_shift).clamp(min=0)).double()
        packed = torch.round(row / scale).long()
        if packed.abs().max() < 128:
            return packed, unit_shift, scale.long()
    raise ValueError("weights are too large")


def packed(integers, shifts):
    """The network as it is once packed; packed again it is the same."""
    linear, bias, units = integers
    def whole(row):
        packed, _, scale = pack(row, shifts)
        return packed * scale
    return linear, bias, [(whole(row), unit_bias, out) for row, unit_bias, out in units]


def write(path, phases, all_shifts):
    """A phase's shifts are None where its weights take 16 bits."""
    with open(path, "wb") as file:
        for (linear, bias, units), shifts in zip(phases, all_shifts):
            file.write(struct.pack("<ii64h", len(units), bias, *linear.tolist()))
            if shifts is not None:
                file.write(struct.pack("<64B", *shifts.tolist()))
            for row, unit_bias, out in units:
                if shifts is not None:
                    row, unit_shift, _ = pack(row, shifts)
                    file.write(struct.pack("<iib64b", unit_bias, out, unit_shift, *row.tolist()))
                else:
                    file.write(struct.pack("<ii64h", unit_bias, out, *row.tolist()))


def write_examples(path, phases, parts):
    with open(path, "wb") as file:
        for phase, (integers, part) in enumerate(zip(phases, parts)):
            rows = torch.tensor(part["x"][:EXAMPLES // len(phases)].astype(np.int64))
            for row, value in zip(rows.tolist(), infer(integers, rows).tolist()):
                file.write(struct.pack("<64hBi", *row, phase, value))


def fit(parts, is_packed, units, steps, batch, device, seed):
    """Fits the networks of all phases at once; the last samples of each are for testing."""
    torch.manual_seed(seed)
    tensor = lambda values: torch.tensor(values, device=device)
    x = [tensor(part["x"].astype(np.float32)) for part in parts]
    y = [tensor(part["label"].astype(np.float32) / 100) for part in parts]
    # A position after a random move has only a search's word.
    weight = [torch.where(tensor(part["sibling"].astype(bool)), 0.6, 1.0) for part in parts]
    split = [len(part) - len(part) // TEST_SHARE for part in parts]
    mean = torch.stack([x.mean(0) for x in x])
    spread = torch.stack([x.std(0) for x in x]).clamp(min=0.5)
    networks = Networks(units, mean.cpu(), spread.cpu()).to(device)
    optimizer = torch.optim.AdamW(networks.parameters(), lr=3e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 8e-3, total_steps=steps)
    loss_of = torch.nn.HuberLoss(reduction="none", delta=4.0)
    for _ in range(steps):
        rows = [torch.randint(0, split, (batch,), device=device) for split in split]
        pick = lambda values: torch.stack([values[rows] for values, rows in zip(values, rows)])
        loss = (loss_of(networks(pick(x)), pick(y)) * pick(weight)).mean(1).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    found = []
    for phase, part in enumerate(parts):
        integers = networks.integers(phase)
        shifts = shifts_of(integers[2]) if is_packed else None
        if is_packed:
            integers = packed(integers, shifts)
        test = part[split[phase]:]
        truth = test["label"] / 100
        def error(values):
            return float(np.sqrt(((values - truth) ** 2).mean()))
        exact = infer(integers, torch.tensor(test["x"].astype(np.int64))).numpy() / 100
        print(f"phase {phase}: {len(part)} samples, {units} units; root mean square error in points: "
              f"{error(test['judged'] / 100):.2f} of the evaluation that played, {error(exact):.2f} of the "
              f"network, {truth.std():.2f} of the mean", flush=True)
        found.append((integers, shifts))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("samples")
    parser.add_argument("weights")
    parser.add_argument("--examples")
    parser.add_argument("--units", type=int, default=32)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=12000)
    parser.add_argument("--batch", type=int, default=8192)
    args = parser.parse_args()
    count, is_packed, groups = GAMES[args.game]
    data = np.fromfile(args.samples, dtype=SAMPLE)
    np.random.default_rng(args.seed).shuffle(data)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    parts = [data[data["phase"] == phase] for phase in range(count)]
    found = fit(parts, is_packed, args.units, args.steps, args.batch, device, args.seed)
    phases, all_shifts = zip(*found)
    for integers in phases:
        check(integers, groups)
    write(args.weights, phases, all_shifts)
    if args.examples:
        write_examples(args.examples, phases, parts)


if __name__ == "__main__":
    main()
