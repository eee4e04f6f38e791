"""Plays with a trained network: floe match gamma "line:files=net.npz,network.py python3 bot.py" greedy"""

import os
import sys

import floe
from network import Network, policy

here = os.path.dirname(os.path.abspath(__file__))
net = Network.load(sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "net.npz"))
floe.run_bot(policy(net), "Netty")
