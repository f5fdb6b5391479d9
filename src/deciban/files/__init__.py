"""Model files: statistics as safetensors, everything else as JSON, no pickle."""
