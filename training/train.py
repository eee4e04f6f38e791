"""Fits the networks of two-seat Penguins to self-play and writes them as integers.

    python3 training/train.py SAMPLES WEIGHTS [--examples FILE] [--units 32] [--seed 1] [--steps 12000]

SAMPLES is what the example `selfplay` of floe-search wrote. FILE gets sixty samples of each phase with
the value that the integers give them here; a test of floe-search compares its own values with these.
"""

import argparse
import struct

import numpy as np
import torch

FEATURES = 64
SAMPLE = np.dtype([
    ("x", "<i2", FEATURES), ("moving", "u1"), ("sibling", "u1"),
    ("judged", "<i2"), ("searched", "<i2"), ("label", "<i2"),
])
# The layout of the integers: see `learned.rs` in floe-search.
HIDDEN_SCALE, OUT_SCALE, LINEAR_SCALE = 1 << 10, 1 << 6, 1 << 5
HIDDEN_BITS, LINEAR_BITS, OUT_BITS, MOST = 6, 5, 10, 1023
# No count is larger on boards of eight words.
LARGEST_COUNT = 512
TEST_SHARE = 20


class Network(torch.nn.Module):
    """A linear part and one layer of hidden units, of counts with mean 0 and spread 1."""

    def __init__(self, units, mean, spread):
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("spread", spread)
        self.linear = torch.nn.Linear(FEATURES, 1)
        self.hidden = torch.nn.Linear(FEATURES, units)
        self.out = torch.nn.Linear(units, 1, bias=False)
        torch.nn.init.normal_(self.out.weight, std=0.05)

    def forward(self, x):
        x = (x - self.mean) / self.spread
        return (self.linear(x) + self.out(torch.relu(self.hidden(x)))).squeeze(1)

    def integers(self):
        """The linear part, its bias, and every unit's weights, bias and weight in the sum."""
        def of_counts(layer):
            weight = (layer.weight / self.spread).double().cpu()
            return weight, layer.bias.double().cpu() - weight @ self.mean.double().cpu()
        whole = lambda x: torch.round(x).long()
        weight, bias = of_counts(self.linear)
        linear = whole(100 * LINEAR_SCALE * weight[0])
        linear_bias = int(whole(100 * LINEAR_SCALE * bias[0] * (1 << LINEAR_BITS)))
        weight, bias = of_counts(self.hidden)
        out = self.out.weight.double().cpu()[0]
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


def most(row):
    """A bound of a row's sum: in each of these groups no floe or penguin counts twice."""
    groups = ((0, 15), (15, 30), (30, 45), (45, 53), (53, 55), (55, 61), (61, 64))
    return LARGEST_COUNT * sum(int(row[first:end].abs().max()) for first, end in groups)


def check(integers):
    """Fails if a sum could overflow 32 bits or a weight 16."""
    linear, bias, units = integers
    assert linear.abs().max() < 1 << 15
    reach = abs(bias) + most(linear) * (1 << LINEAR_BITS)
    for row, unit_bias, out in units:
        assert row.abs().max() < 1 << 15
        assert most(row) + abs(unit_bias) < 1 << 31
        reach += MOST * abs(out)
    assert reach < 1 << 31, f"the sum may overflow: {reach}"


def write(path, phases):
    with open(path, "wb") as file:
        for linear, bias, units in phases:
            file.write(struct.pack("<ii64h", len(units), bias, *linear.tolist()))
            for row, unit_bias, out in units:
                file.write(struct.pack("<ii64h", unit_bias, out, *row.tolist()))


def write_examples(path, phases, parts):
    with open(path, "wb") as file:
        for phase, (integers, part) in enumerate(zip(phases, parts)):
            rows = torch.tensor(part["x"][:60].astype(np.int64))
            for row, value in zip(rows.tolist(), infer(integers, rows).tolist()):
                file.write(struct.pack("<64hBi", *row, phase, value))


def fit(data, units, steps, device, seed):
    torch.manual_seed(seed)
    x = torch.tensor(data["x"].astype(np.float32), device=device)
    y = torch.tensor(data["label"].astype(np.float32) / 100, device=device)
    is_sibling = torch.tensor(data["sibling"].astype(bool), device=device)
    # A position after a random move has only a search's word.
    weight = torch.where(is_sibling, 0.6, 1.0)
    split = len(data) - len(data) // TEST_SHARE
    network = Network(units, x.mean(0), x.std(0).clamp(min=0.5)).to(device)
    optimizer = torch.optim.AdamW(network.parameters(), lr=3e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 8e-3, total_steps=steps)
    loss_of = torch.nn.HuberLoss(reduction="none", delta=4.0)
    for _ in range(steps):
        rows = torch.randint(0, split, (8192,), device=device)
        loss = (loss_of(network(x[rows]), y[rows]) * weight[rows]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    integers = network.integers()
    with torch.no_grad():
        def error(values):
            return float(((values.to(device) - y[split:]) ** 2).mean().sqrt())
        judged = torch.tensor(data["judged"][split:].astype(np.float32) / 100)
        exact = infer(integers, torch.tensor(data["x"][split:].astype(np.int64))) / 100
        print(f"{len(data)} samples, {units} units; root mean square error in fish: "
              f"{error(judged):.2f} of the evaluation that played, {error(network(x[split:])):.2f} of the "
              f"network, {error(exact):.2f} as integers, {float(y[split:].std()):.2f} of the mean", flush=True)
    return integers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("samples")
    parser.add_argument("weights")
    parser.add_argument("--examples")
    parser.add_argument("--units", type=int, default=32)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=12000)
    args = parser.parse_args()
    data = np.fromfile(args.samples, dtype=SAMPLE)
    np.random.default_rng(args.seed).shuffle(data)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    parts = [data[data["moving"] == moving] for moving in (0, 1)]
    phases = [fit(part, args.units, args.steps, device, args.seed) for part in parts]
    for integers in phases:
        check(integers)
    write(args.weights, phases)
    if args.examples:
        write_examples(args.examples, phases, parts)


if __name__ == "__main__":
    main()
