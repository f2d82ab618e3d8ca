"""Images as files, rows and singular vectors: the same bits and files as the command line's."""

import gzip
import struct

import numpy as np
import pytest

import fewdim


@pytest.fixture
def photo(rng):
    x, y = np.meshgrid(np.linspace(0, 1, 48), np.linspace(0, 1, 40))
    smooth = np.stack([0.5 + 0.4 * np.sin(7 * x * y), 0.5 + 0.3 * np.cos(5 * x), x * y], axis=2)
    return np.clip(np.round(255 * (smooth + 0.02 * rng.normal(size=smooth.shape))), 0, 255).astype(np.uint8)


@pytest.fixture
def people(tmp_path, rng):
    """A folder with two images of each of three people, and a note."""
    for who in range(3):
        base = rng.uniform(size=(6, 5))
        for shot in range(2):
            (tmp_path / "people" / f"p{who}").mkdir(parents=True, exist_ok=True)
            fewdim.write_image(np.clip(base + 0.05 * rng.normal(size=base.shape), 0, 1), tmp_path / f"people/p{who}/{shot}.png")
    (tmp_path / "people" / "note.txt").write_text("no image")
    return tmp_path / "people"


def test_a_folder_is_rows_with_labels(people):
    images = fewdim.read_images(people)
    assert images.shape == (6, 30) and images.image_shape == (6, 5) and images.images.shape == (6, 6, 5)
    assert images.names[0] == "p0/0.png" and list(images.labels) == ["p0", "p0", "p1", "p1", "p2", "p2"]
    assert images.rows.dtype == np.float32 and images.report["other_files"] == 1
    one = fewdim.read_image(people / "p1" / "0.png")
    assert (images.images[2] == one).all() and one.dtype == np.float32
    assert fewdim.read_images(people, dtype="float64").rows.dtype == np.float64
    assert fewdim.read_images(people, color=True).image_shape == (6, 5, 3)
    assert fewdim.read_images([people / "p1" / "0.png"], size=(3, 4)).image_shape == (3, 4)
    assert fewdim.PCA(2).fit(images).n_features_in_ == 30


def test_idx_files_bring_their_labels(tmp_path, rng):
    pixels = rng.integers(0, 256, size=(7, 4, 3), dtype=np.uint8)
    with gzip.open(tmp_path / "train-images-idx3-ubyte.gz", "wb") as file:
        file.write(struct.pack(">4BIII", 0, 0, 8, 3, 7, 4, 3) + pixels.tobytes())
    with gzip.open(tmp_path / "train-labels-idx1-ubyte.gz", "wb") as file:
        file.write(struct.pack(">4BI", 0, 0, 8, 1, 7) + bytes(range(7)))
    images = fewdim.read_images(tmp_path / "train-images-idx3-ubyte.gz")
    assert list(images.labels) == [str(i) for i in range(7)]
    assert (images.images == (pixels / 255.0).astype(np.float32)).all()
    assert (fewdim.Images.of(pixels).rows == images.rows).all() and fewdim.Images.of(pixels).white == 1.0


def test_images_go_to_files_and_back(photo, tmp_path):
    fewdim.write_image(photo, tmp_path / "a.png")
    back = fewdim.read_image(tmp_path / "a.png")
    assert (back == (photo / 255.0).astype(np.float32)).all()
    assert fewdim.psnr(photo, back) == np.inf and fewdim.ssim(photo, back) == 1.0
    assert fewdim.read_image(tmp_path / "a.png", color=False).shape == photo.shape[:2]
    assert fewdim.resize_image(photo, 10, 12).shape == (10, 12, 3)
    with pytest.raises(fewdim.FileError, match="overwrite=True"):
        fewdim.write_image(photo, tmp_path / "a.png")


@pytest.mark.parametrize("options, flags", [({"n_components": 5}, ["-k", "5"]), ({"psnr": 30, "block": 16}, ["--psnr", "30", "--block", "16"]),
                                            ({"nbytes": 3000, "bits": 16}, ["--bytes", "3000", "--bits", "16"])], ids=str)
def test_compressed_files_are_the_command_lines(program, photo, tmp_path, options, flags):
    fewdim.write_image(photo, tmp_path / "photo.png")
    told = program("compress", "photo.png", "-o", "theirs.fewdim", "--json", *flags)
    packed = fewdim.compress(tmp_path / "photo.png", **options)
    packed.save(tmp_path / "ours.fewdim")
    assert (tmp_path / "ours.fewdim").read_bytes() == (tmp_path / "theirs.fewdim").read_bytes()
    assert packed.nbytes == told["bytes"] == (tmp_path / "ours.fewdim").stat().st_size
    assert packed.psnr == told["psnr"] and packed.ssim == told["ssim"] and packed.ranks.tolist() == told["ranks"]
    program("compress", "photo.png", "--strip", "strip.png", *flags)
    fewdim.draw_ranks(tmp_path / "photo.png", tmp_path / "ranks.png", **{k: v for k, v in options.items() if k in ("block", "bits")})
    assert (tmp_path / "ranks.png").read_bytes() == (tmp_path / "strip.png").read_bytes()
    assert packed.jpeg.quality == told["jpeg"]["quality"] and packed.jpeg.nbytes == told["jpeg"]["bytes"]
    program("decompress", "ours.fewdim", "-o", "back.png")
    fewdim.write_image(fewdim.decompress(tmp_path / "theirs.fewdim"), tmp_path / "ours.png")
    assert (tmp_path / "ours.png").read_bytes() == (tmp_path / "back.png").read_bytes()
    assert (fewdim.compress(photo, **options).decode() == packed.decode()).all()


def test_grids_are_the_command_lines(program, tmp_path):
    program("generate", "digits", "-o", "digits.csv")
    program("images", "digits.csv", "--shape", "8x8", "--columns", "40", "-o", "theirs.png")
    fewdim.draw_images(fewdim.generate("digits"), tmp_path / "ours.png", shape=(8, 8), columns=40)
    assert (tmp_path / "ours.png").read_bytes() == (tmp_path / "theirs.png").read_bytes()
    fewdim.draw_images(np.zeros((2, 3, 4, 3)), tmp_path / "color.svg", low=0, high=1, titles=["dark"], captions=["a", "b"])
    assert "dark" in (tmp_path / "color.svg").read_text()


def test_broken_images_can_be_left_out(people):
    (people / "p0" / "bad.png").write_bytes((people / "p0" / "0.png").read_bytes()[:40])
    with pytest.raises(fewdim.DataError, match="bad.png"):
        fewdim.read_images(people)
    with pytest.warns(fewdim.FewdimWarning, match="left out 1 broken image.*bad.png"):
        assert len(fewdim.read_images(people, skip_broken=True)) == 6


@pytest.mark.parametrize("call, error, words", [
    (lambda d: fewdim.read_images(d / "nothing"), fewdim.FileError, "nothing"),
    (lambda d: fewdim.read_images(d / "empty"), fewdim.DataError, "empty"),
    (lambda d: fewdim.read_images(7), TypeError, "paths=7"),
    (lambda d: fewdim.read_images(d / "mixed"), fewdim.DataError, "size"),
    (lambda d: fewdim.read_images(d / "mixed", size=(3,)), fewdim.OptionError, r"size=\(3,\) must be"),
    (lambda d: fewdim.read_image(d / "text.png"), fewdim.DataError, "text.png"),
    (lambda d: fewdim.read_image(d / "mixed" / "a.png", max_pixels=5), fewdim.DataError, "max_pixels"),
    (lambda d: fewdim.Images.of(np.ones((3, 6))), fewdim.OptionError, r"shape=\(height, width\)"),
    (lambda d: fewdim.Images.of(np.ones((3, 6)), (2, 2)), fewdim.DataError, "rows of 6 numbers are no images of 2 x 2"),
    (lambda d: fewdim.Images.of(np.ones((3, 2, 3)), (3, 2)), fewdim.DataError, "says otherwise"),
    (lambda d: fewdim.Images.of(np.ones((3, 2, 3)), labels=["a"]), ValueError, "1 labels were given for 3 images"),
    (lambda d: fewdim.Images.of(np.ones((3, 2, 3)), white=-1), fewdim.OptionError, "white=-1"),
    (lambda d: fewdim.Images.of(np.zeros((3, 2, 3))), fewdim.DataError, "white"),
    (lambda d: fewdim.Images.of(np.zeros((0, 2, 3))), fewdim.DataError, r"0 sample\(s\)"),
    (lambda d: fewdim.draw_images(np.ones((0, 2, 3)), d / "x.png"), fewdim.DataError, "no pictures"),
    (lambda d: fewdim.compress(np.ones((20, 20)), nbytes=1), fewdim.OptionError, "nbytes=1"),
    (lambda d: fewdim.compress(np.ones(5)), fewdim.DataError, r"shape \(5,\)"),
    (lambda d: fewdim.compress(np.full((4, 4), np.nan)), fewdim.DataError, "NaN"),
    (lambda d: fewdim.compress(np.ones((4, 4)), 2, psnr=30), fewdim.OptionError, "give one of"),
    (lambda d: fewdim.compress(np.ones((4, 4)), bits=7), fewdim.OptionError, "bits=7"),
    (lambda d: fewdim.compress(np.ones((4, 4)), 0), fewdim.OptionError, "n_components=0"),
    (lambda d: fewdim.compress(np.ones((4, 4)), psnr=-1), fewdim.OptionError, "psnr=-1"),
    (lambda d: fewdim.compress(d / "nothing.png"), fewdim.FileError, "nothing.png"),
    (lambda d: fewdim.decompress(d / "text.png"), fewdim.DataError, "text.png"),
    (lambda d: fewdim.psnr(np.ones((2, 2)), np.ones((2, 3))), fewdim.DataError, "2 x 2 and 2 x 3"),
    (lambda d: fewdim.draw_images(np.ones((2, 6)), d / "x.png", shape=(2, 2)), fewdim.DataError, "no pictures"),
    (lambda d: fewdim.draw_images(np.ones((2, 4)), d / "x.png", shape=(2, 2), low=1), fewdim.OptionError, "go together"),
    (lambda d: fewdim.write_image(np.ones((2, 2)), d / "no" / "x.png"), fewdim.FileError, ""),
], ids=range(28))
def test_refuses_what_is_no_image(tmp_path, call, error, words):
    (tmp_path / "empty").mkdir()
    (tmp_path / "mixed").mkdir()
    (tmp_path / "text.png").write_text("this is text")
    fewdim.write_image(np.ones((4, 4)), tmp_path / "mixed" / "a.png")
    fewdim.write_image(np.ones((5, 4)), tmp_path / "mixed" / "b.png")
    with pytest.raises(error, match=words) as caught:
        call(tmp_path)
    assert " --" not in str(caught.value)


def test_mnist(shared):
    images = fewdim.read_images(shared("digits_mnist", "t10k-images-idx3-ubyte.gz"))
    assert images.shape == (10_000, 784) and list(images.labels[:3]) == ["7", "2", "1"]
