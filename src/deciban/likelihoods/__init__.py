"""Event models: P(columns | class). A new one is a file in this folder and a line in LIKELIHOODS."""

from deciban.likelihoods.base import Likelihood
from deciban.likelihoods.bernoulli import Bernoulli
from deciban.likelihoods.binned import Binned
from deciban.likelihoods.categorical import Categorical
from deciban.likelihoods.complement import Complement
from deciban.likelihoods.gaussian import Gaussian
from deciban.likelihoods.multinomial import Multinomial
from deciban.likelihoods.poisson import Poisson
from deciban.likelihoods.words import Words

LIKELIHOODS: dict[str, type[Likelihood]] = {
    "bernoulli": Bernoulli,
    "binned": Binned,
    "categorical": Categorical,
    "complement": Complement,
    "gaussian": Gaussian,
    "multinomial": Multinomial,
    "poisson": Poisson,
    "words": Words,
}

__all__ = [
    "LIKELIHOODS",
    "Bernoulli",
    "Binned",
    "Categorical",
    "Complement",
    "Gaussian",
    "Likelihood",
    "Multinomial",
    "Poisson",
    "Words",
]
