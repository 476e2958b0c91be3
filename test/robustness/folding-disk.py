"""A file system over a directory that ignores the case of names and keeps the spelling in which they were made, as
APFS, NTFS and ext4 with casefold do. Usage: folding-disk.py <directory> <mount point>. Ends when it is unmounted."""

import errno
import os
import sys

from fusepy import FUSE, FuseOSError, Operations


class FoldingDisk(Operations):
    def __init__(self, root):
        self.root = root

    def real(self, path):
        """The path below the directory, each component in the spelling that is there."""
        found = self.root
        for name in [part for part in path.split("/") if part]:
            exact = os.path.join(found, name)
            if not os.path.lexists(exact) and os.path.isdir(found):
                name = next((other for other in os.listdir(found) if other.casefold() == name.casefold()), name)
            found = os.path.join(found, name)
        return found

    def access(self, path, mode):
        if not os.access(self.real(path), mode):
            raise FuseOSError(errno.EACCES)

    def chmod(self, path, mode):
        return os.chmod(self.real(path), mode)

    def chown(self, path, uid, gid):
        return os.chown(self.real(path), uid, gid, follow_symlinks=False)

    def getattr(self, path, fh=None):
        found = os.lstat(self.real(path))
        names = ("st_atime", "st_ctime", "st_mtime", "st_gid", "st_uid", "st_mode", "st_nlink", "st_size")
        return {name: getattr(found, name) for name in names}

    def readdir(self, path, fh):
        return [".", "..", *os.listdir(self.real(path))]

    def readlink(self, path):
        return os.readlink(self.real(path))

    def mkdir(self, path, mode):
        return os.mkdir(self.real(path), mode)

    def rmdir(self, path):
        return os.rmdir(self.real(path))

    def unlink(self, path):
        return os.unlink(self.real(path))

    def symlink(self, path, target):
        return os.symlink(target, self.real(path))

    def link(self, path, target):
        return os.link(self.real(target), self.real(path))

    def rename(self, old, new):
        return os.rename(self.real(old), self.real(new))

    def statfs(self, path):
        found = os.statvfs(self.real(path))
        names = ("f_bavail", "f_bfree", "f_blocks", "f_bsize", "f_files", "f_ffree", "f_frsize", "f_namemax")
        return {name: getattr(found, name) for name in names}

    def truncate(self, path, length, fh=None):
        os.truncate(self.real(path), length)

    def utimens(self, path, times=None):
        os.utime(self.real(path), times, follow_symlinks=False)

    def open(self, path, flags):
        return os.open(self.real(path), flags)

    def create(self, path, mode, fi=None):
        return os.open(self.real(path), os.O_RDWR | os.O_CREAT, mode)

    def read(self, path, size, offset, fh):
        return os.pread(fh, size, offset)

    def write(self, path, data, offset, fh):
        return os.pwrite(fh, data, offset)

    def fsync(self, path, datasync, fh):
        return os.fsync(fh)

    def release(self, path, fh):
        return os.close(fh)


FUSE(
    FoldingDisk(os.path.abspath(sys.argv[1])),
    sys.argv[2],
    foreground=True,
    nothreads=True,
    default_permissions=True,
    # The kernel asks each time, so that what is changed in the directory itself shows at once.
    attr_timeout=0,
    entry_timeout=0,
    negative_timeout=0,
)
