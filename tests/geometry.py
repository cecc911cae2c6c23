"""Convolution problems by their sizes: shapes follow, random ones can be drawn, and each prints as a line."""

from dataclasses import dataclass, replace

from oracle import Dtypes, operand_number

SHORT_NAMES = {"float32": "f32", "float16": "f16", "bfloat16": "bf16"}
ALL_FLOAT = Dtypes(*["float32"] * 6)
MASKS = [tuple(bool(bits >> axis & 1) for axis in range(3)) for bits in range(8)]


@dataclass(frozen=True)
class Geometry:
    """`size` is the spatial size of input; gradOutput's follows from it."""

    batch: int
    in_channels: int
    out_channels: int
    size: tuple
    kernel: tuple
    stride: tuple
    padding: tuple
    dilation: tuple
    output_padding: tuple
    groups: int = 1
    transposed: bool = False
    mask: tuple = (True, True, True)
    cube_math_type: int = 0
    dtypes: Dtypes = ALL_FLOAT

    @property
    def spatial(self):
        return len(self.size)

    @property
    def around(self):
        """Leading plus trailing padding of every axis."""
        if self.spatial == 2 and len(self.padding) == 4:
            top, bottom, left, right = self.padding
            return (top + bottom, left + right)
        return tuple(2 * p for p in self.padding)

    @property
    def output_size(self):
        axes = zip(self.size, self.kernel, self.stride, self.around, self.dilation, self.output_padding)
        if self.transposed:
            return tuple((i - 1) * s - p + d * (k - 1) + extra + 1 for i, k, s, p, d, extra in axes)
        return tuple((i + p - d * (k - 1) - 1) // s + 1 for i, k, s, p, d, _ in axes)

    @property
    def input_shape(self):
        return (self.batch, self.in_channels, *self.size)

    @property
    def grad_output_shape(self):
        return (self.batch, self.out_channels, *self.output_size)

    @property
    def weight_shape(self):
        first, second = self.out_channels, self.in_channels
        if self.transposed:
            first, second = second, first
        return (first, second // self.groups, *self.kernel)

    @property
    def operand_shapes(self):
        return (self.grad_output_shape, self.input_shape, self.weight_shape)

    @property
    def output_shapes(self):
        return (self.input_shape, self.weight_shape, (self.out_channels,))

    @property
    def mathematics(self):
        """The arguments that the oracle takes besides the operands."""
        return {
            "stride": self.stride,
            "padding": self.padding,
            "dilation": self.dilation,
            "transposed": self.transposed,
            "groups": self.groups,
        }

    def __str__(self):
        """The line of the problem language, as docs/problems.md has it printed."""
        words = [
            f"{self.spatial}d n{self.batch} ci{self.in_channels} co{self.out_channels}",
            f"i{_axes(self.size)} o{_axes(self.output_size)} k{_axes(self.kernel)}",
            f"s{_axes(self.stride)} p{self._padding_text()} d{_axes(self.dilation)} g{self.groups}",
            "mask=" + "".join(str(int(m)) for m in self.mask),
            f"cube={self.cube_math_type} dtype={_names(self.dtypes[:3])}",
        ]
        grad_output, input, weight = self.dtypes[:3]
        if self.dtypes[3:] != (input, weight, grad_output):
            words.append(f"out={_names(self.dtypes[3:])}")
        if self.transposed:
            words.append(f"transposed op{_axes(self.output_padding)}")
        return " ".join(words)

    def _padding_text(self):
        if len(self.padding) == self.spatial:
            return _axes(self.padding)
        return "{}:{}x{}:{}".format(*self.padding)


def _axes(values):
    return "x".join(map(str, values))


def _names(dtypes):
    names = [SHORT_NAMES[d] for d in dtypes]
    return names[0] if len(set(names)) == 1 else ",".join(names)


def random_geometry(random, spatial, transposed):
    """A small valid problem from a random.Random; every kind of group, stride, padding and dilation occurs."""

    def per_axis(low, high):
        return tuple(random.randint(low, high) for _ in range(spatial))

    while True:
        groups = random.choice([1, 1, 2, 3, 5])
        depthwise = groups > 1 and random.random() < 0.4
        stride = per_axis(1, 3)
        geometry = Geometry(
            batch=random.randint(1, 3),
            in_channels=groups * (1 if depthwise else random.randint(1, 4)),
            out_channels=groups * random.randint(1, 4),
            size=per_axis(1, 9 if spatial < 3 else 6),
            kernel=per_axis(1, 4 if spatial < 3 else 3),
            stride=stride,
            padding=tuple(random.randint(0, 3) for _ in range(_padding_length(random, spatial))),
            dilation=per_axis(1, 2),
            output_padding=tuple(random.randrange(s) if transposed else 0 for s in stride),
            groups=groups,
            transposed=transposed,
        )
        if min(geometry.output_size) >= 1 and _taps_fit(geometry):
            return geometry


def _padding_length(random, spatial):
    return 4 if spatial == 2 and random.random() < 0.4 else spatial


def _taps_fit(geometry):
    """The dilated kernel fits into the padded big map."""
    big = geometry.output_size if geometry.transposed else geometry.size
    axes = zip(big, geometry.around, geometry.kernel, geometry.dilation)
    return all(x + p >= d * (k - 1) + 1 for x, p, k, d in axes)


def random_problem(random, spatial, transposed):
    """A random geometry with a mask (mostly all), a cubeMathType, and one dtype for all or six of any kind."""
    while True:
        same = random.random() < 0.5
        names = [random.choice(list(SHORT_NAMES))] * 6 if same else random.choices(list(SHORT_NAMES), k=6)
        problem = replace(
            random_geometry(random, spatial, transposed),
            mask=random.choice(MASKS + [(True, True, True)] * 8),
            cube_math_type=random.randrange(4),
            dtypes=Dtypes(*names),
        )
        if not _has_no_weight_kernel(problem):
            return problem


def _has_no_weight_kernel(problem):
    """Grouped 3-D calls on 16-bit operands cannot have a FLOAT gradWeight on A2."""
    sixteen_bit = operand_number(problem.dtypes, problem.cube_math_type) in ("float16", "bfloat16")
    return problem.spatial == 3 and problem.groups > 1 and sixteen_bit and problem.dtypes.grad_weight == "float32"
