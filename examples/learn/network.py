"""A network of two hidden layers in numpy, with the gradient written out."""

import numpy as np


class Network:
    """Probabilities of moves, and what a position is worth to the player to move."""

    def __init__(self, inputs, actions, hidden, dice):
        def layer(rows, columns, scale):
            return (dice.standard_normal((rows, columns)) * scale / np.sqrt(rows)).astype(np.float32)

        self.weights = {
            "w1": layer(inputs, hidden, 1.4), "b1": np.zeros(hidden, np.float32),
            "w2": layer(hidden, hidden, 1.4), "b2": np.zeros(hidden, np.float32),
            "wp": layer(hidden, actions, 0.01), "bp": np.zeros(actions, np.float32),
            "wv": layer(hidden, 1, 0.1), "bv": np.zeros(1, np.float32),
        }
        self.moments = {name: (np.zeros_like(w), np.zeros_like(w)) for name, w in self.weights.items()}
        self.updates = 0

    def _run(self, observations, masks):
        w = self.weights
        # Large numbers, such as scores, are brought near to 1.
        x = np.minimum(observations.reshape(len(observations), -1), 16).astype(np.float32)
        x = np.where(x > 1, x / 8, x)
        h1 = np.maximum(x @ w["w1"] + w["b1"], 0)
        h2 = np.maximum(h1 @ w["w2"] + w["b2"], 0)
        logits = np.where(masks != 0, h2 @ w["wp"] + w["bp"], -1e9)
        e = np.exp(logits - logits.max(axis=1, keepdims=True))
        return x, h1, h2, e / e.sum(axis=1, keepdims=True), np.tanh(h2 @ w["wv"] + w["bv"])[:, 0]

    def forward(self, observations, masks):
        """Probabilities of moves, and values."""
        *_, probabilities, values = self._run(observations, masks)
        return probabilities, values

    def improve(self, observations, masks, actions, chances, returns, rate=1e-3, clip=0.2, entropy=0.01):
        """One step of PPO along the gradient."""
        x, h1, h2, p, v = self._run(observations, masks)
        n, rows = len(x), np.arange(len(x))
        advantage = returns - v
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
        ratio = p[rows, actions] / np.maximum(chances, 1e-8)
        # Where the ratio has left the clip in the direction of the advantage, there is no gradient.
        is_open = np.where(advantage > 0, ratio < 1 + clip, ratio > 1 - clip)
        pull = np.where(is_open, ratio * advantage, 0).astype(np.float32)[:, None]
        chosen = np.zeros_like(p)
        chosen[rows, actions] = 1
        logs = np.log(np.maximum(p, 1e-12))
        spread = p * (logs - (p * logs).sum(axis=1, keepdims=True))
        d_logits = (pull * (p - chosen) + entropy * spread) / n
        d_value = ((v - returns) * (1 - v * v) / n)[:, None].astype(np.float32)
        w = self.weights
        d2 = (d_logits @ w["wp"].T + d_value @ w["wv"].T) * (h2 > 0)
        d1 = (d2 @ w["w2"].T) * (h1 > 0)
        self._adam({
            "w1": x.T @ d1, "b1": d1.sum(0), "w2": h1.T @ d2, "b2": d2.sum(0),
            "wp": h2.T @ d_logits, "bp": d_logits.sum(0), "wv": h2.T @ d_value, "bv": d_value.sum(0),
        }, rate)

    def _adam(self, gradients, rate):
        self.updates += 1
        for name, gradient in gradients.items():
            mean, square = self.moments[name]
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            corrected = rate / (1 - 0.9**self.updates) * np.sqrt(1 - 0.999**self.updates)
            self.weights[name] -= corrected * mean / (np.sqrt(square) + 1e-8)

    def save(self, path):
        np.savez_compressed(path, **self.weights)

    @classmethod
    def load(cls, path):
        net = cls.__new__(cls)
        with np.load(path) as file:
            net.weights = {name: file[name] for name in file.files}
        return net


def policy(net):
    """A function of a position: the network's favourite among the legal moves."""
    def choose(position):
        probabilities, _ = net.forward(position.observe()[None], position.mask()[None])
        return int(probabilities[0].argmax())
    return choose
